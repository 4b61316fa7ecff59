// check_vscode.js HALYARD: the extension of VS Code, with a stand-in for VS Code that remembers what it is told.
"use strict";

const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const Module = require("module");

const halyard = path.resolve(process.argv[2]);
const registered = {};
const listeners = {};
const published = new Map();
const warnings = [];
let heardOf = () => {};

class Plain {
  constructor(...parts) {
    this.parts = parts;
  }
}
const listen = (name) => (listener) => {
  listeners[name] = listener;
  return { dispose() {} };
};
const register = (name) => (language, provider) => {
  assert.strictEqual(language, "halyard");
  registered[name] = provider;
  return { dispose() {} };
};
const names = ["Hover", "Definition", "Reference", "CompletionItem", "DocumentSymbol"];
const languages = Object.fromEntries(names.map((name) => [`register${name}Provider`, register(name)]));
const vscode = {
  Position: class { constructor(line, character) { Object.assign(this, { line, character }); } },
  Range: class { constructor(start, end) { Object.assign(this, { start, end }); } },
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  Diagnostic: class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } },
  DiagnosticRelatedInformation: Plain, CompletionItem: class { constructor(label, kind) { Object.assign(this, { label, kind }); } },
  DocumentSymbol: class { constructor(name, detail, kind) { Object.assign(this, { name, detail, kind }); } },
  Hover: Plain, MarkdownString: Plain, TextEdit: Plain, Uri: { parse: (text) => ({ text, toString: () => text }) },
  languages: {
    ...languages, registerDocumentFormattingEditProvider: register("Formatting"),
    createDiagnosticCollection: () => ({ set: (uri, list) => { published.set(uri.text, list); heardOf(uri.text); }, clear: () => published.clear() }),
  },
  workspace: {
    getConfiguration: () => ({ get: () => vscode.command }), textDocuments: [],
    onDidOpenTextDocument: listen("open"), onDidChangeTextDocument: listen("change"), onDidCloseTextDocument: listen("close"), onDidSaveTextDocument: listen("save"),
  },
  window: { showWarningMessage: (text) => warnings.push(text) },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.resolve(__dirname, "../../../editors/vscode/extension.js"));

const published_for = (uri) => new Promise((resolve) => { heardOf = (name) => name === uri && resolve(published.get(uri)); });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vscode-"));
const document = (name, text) => ({
  languageId: "halyard", version: 1, text, uri: { toString: () => `file://${folder}/${name}` }, getText() { return this.text; },
});

async function main() {
  vscode.command = halyard;
  const context = { subscriptions: [] };
  await extension.activate(context);
  const algorithm = document("p.alg", "pipeline p(in: u8[1]) { fun f(x) = in(x)+1; fun g(x) = f(x); }");
  let said = published_for(`file://${folder}/p.alg`);
  listeners.open(algorithm);
  assert.deepStrictEqual(await said, []);
  const schedule = document("p.sched", "schedule s for p { f.compute_at(g, q); }");
  said = published_for(`file://${folder}/p.sched`);
  listeners.open(schedule);
  const [error] = await said;
  assert.deepStrictEqual([error.code, error.source, error.severity, error.range.start.character], ["HY0405", "halyard", 0, 35]);
  assert.strictEqual(error.relatedInformation.length, 2);
  const items = await registered.CompletionItem.provideCompletionItems(schedule, { line: 0, character: 36 });
  assert.deepStrictEqual(items.map((item) => [item.label, item.kind]), [["x", 5]]); // Variable, as VS Code counts
  const hover = await registered.Hover.provideHover(algorithm, { line: 0, character: 28 });
  assert.match(hover.parts[0].parts[0], /fun f\(x\): u8/);
  const definition = await registered.Definition.provideDefinition(schedule, { line: 0, character: 19 });
  assert.deepStrictEqual([definition.uri.text, definition.range.start.character], [`file://${folder}/p.alg`, 28]);
  assert.strictEqual((await registered.Reference.provideReferences(algorithm, { line: 0, character: 28 }, { includeDeclaration: true })).length, 2);
  assert.deepStrictEqual((await registered.DocumentSymbol.provideDocumentSymbols(algorithm)).map((s) => [s.name, s.children.length]), [["p", 3]]);
  const [edit] = await registered.Formatting.provideDocumentFormattingEdits(algorithm, {});
  assert.strictEqual(edit.parts[1], "pipeline p(in: u8[1]) {\n  fun f(x) = in(x) + 1;\n  fun g(x) = f(x);\n}\n");
  assert.strictEqual(await registered.Hover.provideHover(document("unknown.alg", ""), { line: 0, character: 0 }), undefined);
  schedule.text = schedule.text.replace("q", "x");
  said = published_for(`file://${folder}/p.sched`);
  listeners.change({ document: schedule, contentChanges: [{}] });
  assert.deepStrictEqual(await said, []);
  said = published_for(`file://${folder}/p.sched`);
  listeners.close(schedule);
  assert.deepStrictEqual(await said, []);
  await extension.deactivate();
  assert.deepStrictEqual(warnings, []);
  vscode.command = "/nonexistent/halyard";
  await extension.activate({ subscriptions: [] });
  assert.match(warnings[0], /'\/nonexistent\/halyard lsp' has ended/);
  console.log("1 passed, 0 failed, 0 skipped");
}

main().catch((error) => {
  console.log(`FAILED ${error.stack}`);
  process.exitCode = 1;
}).finally(() => fs.rmSync(folder, { recursive: true }));
