// What the server says of each open document.

import * as vscode from "vscode";
import type { Problem, Status, StatusNotification } from "./contract";
import type { Server } from "./server";

/** What the server says of each open document. */
export class Statuses implements vscode.Disposable {
  private readonly statuses = new Map<string, StatusNotification>();
  private readonly disposable: vscode.Disposable;

  constructor(server: Server) {
    this.disposable = vscode.Disposable.from(
      server.onStatus((status) => this.statuses.set(status.uri, status)),
      server.onHealth(({ state }) => state !== "running" && this.statuses.clear()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.statuses.delete(uri.toString())),
    );
  }

  /** The counts of a document, where there are any. */
  get(uri: vscode.Uri | undefined): Status | undefined {
    const status = this.said(uri);
    return status?.state === "done" ? status : undefined;
  }

  /** What keeps a document from being counted. */
  problem(uri: vscode.Uri | undefined): Problem | undefined {
    const status = this.said(uri);
    return (status?.state === "unavailable" && status.problem) || undefined;
  }

  said(uri: vscode.Uri | undefined): StatusNotification | undefined {
    return uri && this.statuses.get(uri.toString());
  }

  dispose(): void {
    this.disposable.dispose();
  }
}
