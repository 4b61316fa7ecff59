// A client of "halyard lsp": messages over standard input and output of a process. It knows nothing of VS Code.
"use strict";

const { spawn } = require("child_process");

class Client {
  // "heard(method, params)": notifications of the server; "ended(code)": it is gone.
  constructor(command, heard, ended) {
    this.waiting = new Map();
    this.bytes = Buffer.alloc(0);
    this.number = 0;
    this.heard = heard;
    this.ended = ended;
    this.isOpen = true;
    this.server = spawn(command, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    const end = (code) => {
      if (!this.isOpen) return;
      this.isOpen = false;
      for (const { reject } of this.waiting.values()) reject(new Error("halyard lsp has ended"));
      this.waiting.clear();
      this.ended(code);
    };
    this.server.on("error", (error) => end(error.message));
    this.server.on("exit", end);
    this.server.stdin.on("error", () => {});
    this.server.stdout.on("data", (data) => this.take(data));
  }

  take(data) {
    this.bytes = Buffer.concat([this.bytes, data]);
    for (;;) {
      const head = this.bytes.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: *(\d+)/i.exec(this.bytes.toString("latin1", 0, head))[1]);
      if (this.bytes.length < head + 4 + length) return;
      const body = this.bytes.toString("utf8", head + 4, head + 4 + length);
      this.bytes = this.bytes.subarray(head + 4 + length);
      this.hear(JSON.parse(body));
    }
  }

  hear(message) {
    if (message.method !== undefined) {
      this.heard(message.method, message.params);
      return;
    }
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!asked) return;
    if (message.error) asked.reject(new Error(message.error.message));
    else asked.resolve(message.result);
  }

  send(message) {
    if (!this.isOpen) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.server.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // The result; rejected where the server refuses, or is gone. "token": of a cancellation, or undefined.
  ask(method, params, token) {
    if (!this.isOpen) return Promise.reject(new Error("halyard lsp has ended"));
    const id = ++this.number;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.send({ id, method, params });
    if (token) token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    return answer;
  }

  async end() {
    try {
      await this.ask("shutdown");
    } catch {
      return;
    }
    this.notify("exit");
  }
}

module.exports = { Client };
