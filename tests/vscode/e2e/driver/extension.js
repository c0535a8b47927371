// Runs JavaScript that a check sends, with the real `vscode` API at hand, and answers in JSON.
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const vscode = require("vscode");

const AsyncFunction = (async () => {}).constructor;

async function evaluate(body) {
  const { code, args } = JSON.parse(body);
  const result = await new AsyncFunction("vscode", "require", "args", code)(vscode, require, args);
  return JSON.stringify({ result: result ?? null });
}

async function answer(request, response) {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  try {
    response.end(await evaluate(body));
  } catch (error) {
    response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
  }
}

// Each window has an extension host of its own; it says where it listens in a file of its own.
exports.activate = (context) => {
  const server = http.createServer(answer).listen(0, "127.0.0.1", () => {
    const file = path.join(process.env.PROMPTLS_E2E_DRIVERS, `${process.pid}.json`);
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    fs.writeFileSync(`${file}.part`, JSON.stringify({ port: server.address().port, folders }));
    fs.renameSync(`${file}.part`, file);
  });
  context.subscriptions.push({ dispose: () => server.close() });
};
