// The extension: what "halyard lsp" says, in VS Code. Needs no package but VS Code's own.
"use strict";

const vscode = require("vscode");
const { Client } = require("./client");

const LANGUAGE = "halyard";
let client, shown;

/* -- from the protocol to VS Code -- */

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));

function diagnostic(one) {
  const made = new vscode.Diagnostic(range(one.range), one.message, one.severity - 1);
  made.code = one.code;
  made.source = one.source;
  made.relatedInformation = (one.relatedInformation || []).map((r) => new vscode.DiagnosticRelatedInformation(location(r.location), r.message));
  return made;
}

function item(one) {
  const made = new vscode.CompletionItem(one.label, one.kind - 1);
  made.detail = one.detail;
  made.sortText = one.sortText;
  return made;
}

function symbol(one) {
  const made = new vscode.DocumentSymbol(one.name, one.detail, one.kind - 1, range(one.range), range(one.selectionRange));
  made.children = (one.children || []).map(symbol);
  return made;
}

/* -- and back -- */

const about = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, p) => ({ ...about(document), position: { line: p.line, character: p.character } });

// What is refused, or comes too late, is no answer.
async function ask(method, params, token, make) {
  try {
    const answer = await client.ask(`textDocument/${method}`, params, token);
    return answer === null ? undefined : make(answer);
  } catch {
    return undefined;
  }
}

function providers() {
  const { languages } = vscode;
  return [
    languages.registerHoverProvider(LANGUAGE, {
      provideHover: (d, p, t) => ask("hover", at(d, p), t, (h) => new vscode.Hover(new vscode.MarkdownString(h.contents.value), range(h.range))),
    }),
    languages.registerDefinitionProvider(LANGUAGE, { provideDefinition: (d, p, t) => ask("definition", at(d, p), t, location) }),
    languages.registerReferenceProvider(LANGUAGE, {
      provideReferences: (d, p, context, t) => ask("references", { ...at(d, p), context }, t, (list) => list.map(location)),
    }),
    languages.registerCompletionItemProvider(
      LANGUAGE, { provideCompletionItems: (d, p, t) => ask("completion", at(d, p), t, (list) => list.map(item)) }, ".", "(", ","),
    languages.registerDocumentSymbolProvider(LANGUAGE, {
      provideDocumentSymbols: (d, t) => ask("documentSymbol", about(d), t, (list) => list.map(symbol)),
    }),
    languages.registerDocumentFormattingEditProvider(LANGUAGE, {
      provideDocumentFormattingEdits: (d, options, t) =>
        ask("formatting", { ...about(d), options }, t, (list) => list.map((e) => new vscode.TextEdit(range(e.range), e.newText))),
    }),
  ];
}

/* -- documents -- */

const isOurs = (document) => document.languageId === LANGUAGE;

function open(document) {
  if (!isOurs(document)) return;
  client.notify("textDocument/didOpen", {
    textDocument: { uri: document.uri.toString(), languageId: LANGUAGE, version: document.version, text: document.getText() },
  });
}

function change(event) {
  const { document } = event;
  if (!isOurs(document) || !event.contentChanges.length) return;
  client.notify("textDocument/didChange", {
    textDocument: { uri: document.uri.toString(), version: document.version }, contentChanges: [{ text: document.getText() }],
  });
}

function follow(context) {
  const { workspace } = vscode;
  const tell = (method) => (document) => isOurs(document) && client.notify(`textDocument/${method}`, about(document));
  context.subscriptions.push(workspace.onDidOpenTextDocument(open), workspace.onDidChangeTextDocument(change),
    workspace.onDidCloseTextDocument(tell("didClose")), workspace.onDidSaveTextDocument(tell("didSave")));
  workspace.textDocuments.forEach(open);
}

/* -- the beginning and the end -- */

function heard(method, params) {
  if (method === "textDocument/publishDiagnostics") shown.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
}

async function activate(context) {
  const command = vscode.workspace.getConfiguration(LANGUAGE).get("command") || "halyard";
  shown = vscode.languages.createDiagnosticCollection(LANGUAGE);
  context.subscriptions.push(shown);
  client = new Client(command, heard, (why) => {
    shown.clear();
    vscode.window.showWarningMessage(`Halyard: '${command} lsp' has ended (${why}). The setting halyard.command says where halyard is.`);
  });
  const capabilities = { textDocument: { publishDiagnostics: { relatedInformation: true } } };
  try {
    await client.ask("initialize", { processId: process.pid, rootUri: null, capabilities });
  } catch {
    return;
  }
  client.notify("initialized", {});
  context.subscriptions.push(...providers());
  follow(context);
}

function deactivate() {
  if (!client) return undefined;
  const last = client;
  last.ended = () => {};
  return last.end();
}

module.exports = { activate, deactivate };
