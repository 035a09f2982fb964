import { isAbsolute } from 'node:path'

export const EDITORS = ['zed', 'jetbrains', 'codecompanion', 'agent-shell', 'acpx'] as const
export type Editor = (typeof EDITORS)[number]

/** How an editor starts this installation. */
export interface AgentCommand {
  command: string
  args: string[]
}

/**
 * The command for an editor: absolute paths of node and of this installation, since an editor started from a dock has no
 * version manager on its PATH; the npx form when this runs from npx's cache, which may be cleared.
 */
export function agentCommand(nodePath: string, cliPath: string): AgentCommand {
  return /[\\/]_npx[\\/]/.test(cliPath)
    ? { command: 'npx', args: ['-y', 'deckhand', 'acp'] }
    : { command: nodePath, args: [cliPath, 'acp'] }
}

/** The snippet for one editor, and where it goes. */
export function setupText(editor: Editor, agent: AgentCommand): string {
  const server = { command: agent.command, args: agent.args, env: {} }
  switch (editor) {
    case 'zed':
      return `Zed: add this to settings.json (command palette: "zed: open settings file"), then open a new Deckhand thread in the agent panel.

${json({ agent_servers: { Deckhand: { type: 'custom', ...server } } })}
`
    case 'jetbrains':
      return `JetBrains IDEs: in the AI Chat window choose "Configure ACP Agents", which opens ~/.jetbrains/acp.json, and add:

${json({ agent_servers: { Deckhand: server } })}
`
    case 'codecompanion':
      return `Neovim with CodeCompanion: add this adapter to its setup, then run :CodeCompanionChat adapter=deckhand.

require("codecompanion").setup({
  adapters = {
    acp = {
      deckhand = function()
        return require("codecompanion.adapters").extend("opencode", {
          name = "deckhand",
          formatted_name = "Deckhand",
          commands = { default = { ${[agent.command, ...agent.args].map(quoted).join(', ')} } },
        })
      end,
    },
  },
})
`
    case 'agent-shell':
      return `Emacs with agent-shell: add this to your init file, then run M-x agent-shell and pick Deckhand.

(with-eval-after-load 'agent-shell
  (add-to-list 'agent-shell-agent-configs
               (agent-shell-make-agent-config
                :identifier 'deckhand
                :mode-line-name "Deckhand"
                :buffer-name "Deckhand"
                :shell-prompt "Deckhand> "
                :shell-prompt-regexp "Deckhand> "
                :client-maker (lambda (buffer)
                                (acp-make-client
                                 :command ${quoted(agent.command)}
                                 :command-params '(${agent.args.map(quoted).join(' ')})
                                 :context-buffer buffer)))))
`
    case 'acpx':
      return `acpx: run a prompt from any shell. Where it cannot ask, put --approve-all before exec to let it save files.

acpx --agent '${[agent.command, ...agent.args].map(word).join(' ')}' exec '!echo hello'
`
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** A string literal of JSON, which Lua and Emacs Lisp read the same way for paths. */
function quoted(value: string): string {
  return JSON.stringify(value)
}

function word(value: string): string {
  return isAbsolute(value) && /\s/.test(value) ? `"${value}"` : value
}
