// The page of a webview: it may load the extension's own script and styles, and nothing else.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** Fill `webview` with the page whose script is out/webview/`name`.js. */
export function page(
  webview: vscode.Webview,
  extension: vscode.Uri,
  name: string,
  texts: Record<string, string> = {},
): void {
  const scripts = vscode.Uri.joinPath(extension, "out", "webview");
  const media = vscode.Uri.joinPath(extension, "media");
  webview.options = { enableScripts: true, localResourceRoots: [scripts, media] };
  const script = webview.asWebviewUri(vscode.Uri.joinPath(scripts, `${name}.js`));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(media, "webview.css"));
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  const data = JSON.stringify(texts).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  webview.html = `<!DOCTYPE html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <link rel="stylesheet" href="${style}">
  </head>
  <body class="${name}" data-texts="${data}">
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}
