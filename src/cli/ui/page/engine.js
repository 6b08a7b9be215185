// What the page talks to: requests, and answers that come as a stream of events.

/** @import { Answer, Numbered, Outcome, Question, Request, Response, StoredState } from "./wire.js" */

/** @typedef {{promise: Promise<Answer>, cancel: () => void}} Asked */

/**
 * What requests are answered with, by their kind.
 * @typedef {{
 *   state: StoredState, command: StoredState, undo: StoredState, redo: StoredState, reload: StoredState, write: StoredState,
 *   ask: Extract<Response, {done: Answer} | {asked: number}>, cancel: null,
 *   preview: Extract<Response, {may_write: boolean, diff: unknown}>, log: Extract<Response, {log: string}>,
 * }} Responses
 */

export class Engine {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
    /** Number of the last event. */
    this.last = 0;
    this.next = Math.floor(Math.random() * 2 ** 31) * 1024;
    /** @type {Map<number, {partial: (value: Answer) => void, done: (value: Answer) => void, failed: (error: Error) => void}>} */
    this.open = new Map();
    /** Called with whether the server answers. */
    this.connected = (/** @type {boolean} */ _) => {};
    /** Called when the session has changed, perhaps by another page. */
    this.changed = () => {};
    /** Number of questions that were not answered from what is known, without those in the background. */
    this.queries = 0;
  }

  /**
   * Sends a request and returns the reply.
   * @template {keyof Responses} K
   * @param {Request & {m: K}} request
   * @returns {Promise<Responses[K]>}
   */
  async send(request) {
    let response;
    try {
      response = await fetch("/api/v1/message", {
        method: "POST",
        headers: { "content-type": "application/json", "x-ramsey-token": this.token },
        body: JSON.stringify(request),
      });
    } catch {
      this.connected(false);
      throw new Error("the program has ended");
    }
    const text = await response.text();
    /** @type {Outcome} */
    let reply;
    try {
      reply = JSON.parse(text);
    } catch {
      throw new Error(text || `status ${response.status}`);
    }
    if (reply.error !== undefined) throw new Error(reply.error);
    return /** @type {Responses[K]} */ (reply.ok);
  }

  /**
   * Asks a question.
   * @param {Question} question
   * @param {{background?: boolean, partial?: (value: Answer) => void}} [how]
   * @returns {Asked}
   */
  ask(question, how = {}) {
    const id = this.next++;
    let isOver = false;
    /** @type {Promise<unknown>} */
    let sent = Promise.resolve();
    const promise = new Promise((done, failed) => {
      this.open.set(id, { partial: how.partial ?? (() => {}), done, failed });
      const asked = this.send({ m: "ask", id, question, background: how.background ?? false });
      sent = asked;
      asked.then(
        (reply) => {
          if (reply.done !== undefined) {
            this.open.delete(id);
            done(reply.done);
          } else if (!how.background) {
            this.queries += 1;
          }
        },
        (error) => {
          this.open.delete(id);
          failed(error);
        },
      );
    }).finally(() => {
      isOver = true;
    });
    promise.catch(() => {});
    const cancel = () => {
      if (isOver) return;
      this.open.get(id)?.failed(new Cancelled());
      this.open.delete(id);
      // On another connection it could arrive before the question.
      sent.then(() => this.send({ m: "cancel", id })).catch(() => {});
    };
    return { promise, cancel };
  }

  /** Reads events for as long as the page is there. */
  async listen() {
    for (;;) {
      try {
        const response = await fetch(`/api/v1/events?since=${this.last}`, {
          headers: { "x-ramsey-token": this.token },
        });
        if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
        this.connected(true);
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          const lines = (rest + value).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) if (line.trim()) this.event(JSON.parse(line));
        }
      } catch {
        this.connected(false);
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  /** @param {Numbered} event */
  event(event) {
    this.last = event.n;
    if (event.e === "changed") {
      this.changed();
      return;
    }
    const open = this.open.get(event.id);
    if (!open) return;
    if (event.e === "partial") {
      open.partial(event.value);
      return;
    }
    this.open.delete(event.id);
    if (event.e === "done") open.done(event.value);
    else if (event.kind === "cancelled") open.failed(new Cancelled());
    else open.failed(new Error(event.why));
  }
}

/** A question was cancelled. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}
