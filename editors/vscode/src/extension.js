// Starts halo-lsp-server and connects the editor to it.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("halo.server");
  const plugins = settings.get("plugins", []);
  const server = {
    command: settings.get("path") || "halo-lsp-server",
    args: plugins.map((plugin) => `--load-plugin=${plugin}`),
  };
  client = new LanguageClient("halo", "Halo", server, {
    documentSelector: [{ language: "mlir" }, { language: "hlo" }],
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `Halo: cannot start ${server.command}: ${error.message}. The setting halo.server.path names it.`
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("halo.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("halo.server")) {
        return restart();
      }
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
