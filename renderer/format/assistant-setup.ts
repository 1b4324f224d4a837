/** Configurations of common AI assistants, to be copied. */
import type { AssistantSetup } from '../../protocol/assistants'

export const assistantNames = {
  claudeDesktop: 'Claude Desktop',
  claudeCode: 'Claude Code',
  cursor: 'Cursor',
  vsCode: 'VS Code',
  codex: 'Codex',
} as const

export type AssistantName = keyof typeof assistantNames

/** The configuration of an assistant, and where the user puts it. */
export function setupText(
  assistant: AssistantName,
  { command, args }: AssistantSetup,
): { where: string; text: string } {
  const start = { command, args }
  switch (assistant) {
    case 'claudeDesktop':
      return {
        where: 'Settings, Developer, Edit config: claude_desktop_config.json. Restart Claude Desktop afterwards.',
        text: json({ mcpServers: { indexwatch: start } }),
      }
    case 'claudeCode':
      return {
        where: 'Run this in a terminal.',
        text: ['claude', 'mcp', 'add', 'indexwatch', '--', command, ...args].map(shellWord).join(' '),
      }
    case 'cursor':
      return inHome('.cursor/mcp.json', json({ mcpServers: { indexwatch: start } }))
    case 'vsCode':
      return {
        where: 'Command “MCP: Open User Configuration”.',
        text: json({ servers: { indexwatch: { type: 'stdio', ...start } } }),
      }
    case 'codex':
      // A JSON string is also a TOML string.
      return inHome(
        '.codex/config.toml',
        `[mcp_servers.indexwatch]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((each) => JSON.stringify(each)).join(', ')}]`,
      )
  }
}

function inHome(file: string, text: string): { where: string; text: string } {
  return { where: `In the file ${file} of your home folder.`, text }
}

function json(config: object): string {
  return JSON.stringify(config, null, 2)
}

/** Quotes a path for the shells of all systems. Only blanks in it need quotes. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["$`]/g, '\\$&')}"`
}
