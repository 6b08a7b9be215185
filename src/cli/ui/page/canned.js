// Answers that are in the page, for a page without a server.

import { Engine } from "./engine.js";

/** @import { Responses } from "./engine.js" */
/** @import { Question, Report, Request, StoredState } from "./wire.js" */

export class Canned extends Engine {
  /** @param {Report} report */
  constructor(report) {
    super("");
    /** @type {StoredState} */
    this.state = { ...report.state, may_write: false, written: true, disk: "same", misfits: [], unsaved: null, session: "this report", version: "" };
    this.answers = new Map(report.answers.map((it) => [normal(it.question), it]));
  }

  /**
   * Answers what needs no program behind the page.
   * @template {keyof Responses} K
   * @param {Request} request
   * @returns {Promise<Responses[K]>}
   */
  async send(request) {
    if (request.m === "command" && request.command.do === "select") {
      const { claim, action, number = 1 } = request.command;
      this.state = { ...this.state, selected: { claim, action, number, dropped: [], kept: [] } };
    } else if (request.m !== "state") {
      throw new Error("This is a report: `ramsey ui` goes on from here.");
    }
    return /** @type {Responses[K]} */ (/** @type {unknown} */ (this.state));
  }

  /**
   * @param {Question} question
   * @returns {import("./engine.js").Asked}
   */
  ask(question) {
    const found = this.answers.get(normal(question));
    const why = found?.why ?? "not part of this report";
    const promise = found?.value ? Promise.resolve(found.value) : Promise.reject(new Error(why));
    promise.catch(() => {});
    return { promise, cancel: () => {} };
  }

  async listen() {}
}

/**
 * Returns a question as text, the same for all ways to write it.
 * @param {Question} question
 */
function normal(question) {
  const fields = Object.entries(question).filter(([, value]) => value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0));
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
