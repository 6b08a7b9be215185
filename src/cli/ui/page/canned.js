// Answers that are in the page, for a page without a server.

import { Engine } from "./engine.js";

export class Canned extends Engine {
  /** @param {{state: any, answers: {question: any, value: any, why: string | null}[]}} report */
  constructor(report) {
    super("");
    this.state = { ...report.state, may_write: false, written: true, disk: "same", misfits: [], unsaved: null, session: "this report" };
    /** @type {Map<string, {value: any, why: string | null}>} */
    this.answers = new Map(report.answers.map((it) => [normal(it.question), it]));
  }

  /**
   * Answers what needs no program behind the page.
   * @param {any} request
   * @returns {Promise<any>}
   */
  async send(request) {
    if (request.m === "command" && request.command.do === "select") {
      const { claim, action, number } = request.command;
      this.state = { ...this.state, selected: { claim, action, number, dropped: [], kept: [] } };
      return this.state;
    }
    if (request.m === "state") return this.state;
    throw new Error("This is a report: `ramsey ui` goes on from here.");
  }

  /**
   * @param {Record<string, unknown>} question
   * @returns {import("./engine.js").Asked}
   */
  ask(question) {
    const found = this.answers.get(normal(question));
    const isKnown = found && found.value !== null;
    const why = found?.why ?? "not part of this report";
    const promise = isKnown ? Promise.resolve(found.value) : Promise.reject(new Error(why));
    promise.catch(() => {});
    return { promise, cancel: () => {} };
  }

  async listen() {}
}

/**
 * Returns a question as text, the same for all ways to write it.
 * @param {any} question
 */
function normal(question) {
  const fields = Object.entries(question).filter(([, value]) => value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0));
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
