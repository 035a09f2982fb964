import type { Step } from '../steps.js'

/** A tool as a request to the model names it. `parameters` is a JSON Schema. */
export interface OfferedTool {
  name: string
  parameters: { properties?: Record<string, Property>; required?: string[] }
}

interface Property {
  type?: string | string[]
  enum?: unknown[]
  default?: unknown
  minimum?: number
  items?: { type?: string; properties?: Record<string, Property> }
}

type CallStep = Exclude<Step, { kind: 'say' }>

/** What agents call their tools, the usual names first. */
const NAMES: Record<CallStep['kind'], readonly string[]> = {
  shell: ['bash', 'shell', 'run_shell_command', 'exec_command', 'execute_command', 'run_command', 'terminal'],
  read: ['read', 'read_file', 'view', 'view_file'],
  write: ['write', 'write_file', 'create', 'create_file', 'write_to_file'],
  edit: ['edit', 'edit_file', 'replace', 'str_replace', 'replace_in_file', 'search_replace'],
}

/** Parameters by what they hold, whatever the agent calls them; compared without case and underscores. */
const PARAMETERS = {
  command: ['command', 'cmd', 'script'],
  path: ['path', 'filepath', 'absolutepath', 'targetfile', 'file', 'filename'],
  content: ['content', 'contents', 'filetext', 'text'],
  oldText: ['oldstring', 'oldtext', 'oldstr', 'search', 'find'],
  newText: ['newstring', 'newtext', 'newstr', 'replace', 'replacement'],
} as const

/** The call that does a step with one of the tools on offer. Throws if none can. */
export function toToolCall(
  step: CallStep,
  tools: readonly OfferedTool[],
): { name: string; args: Record<string, unknown> } {
  const tool = NAMES[step.kind].map(name => tools.find(each => each.name.toLowerCase() === name)).find(Boolean)
  if (!tool) throw new Error(`no tool for ${step.kind} among ${tools.map(({ name }) => name).join(', ')}`)
  const { properties = {}, required = [] } = tool.parameters
  const args: Record<string, unknown> = {}
  const { kind: _, ...values } = step
  const edits = properties.edits?.items?.properties
  if (step.kind === 'edit' && edits && findKey(properties, 'oldText') === undefined) {
    args[findKey(properties, 'path') ?? 'path'] = step.path
    args.edits = [
      {
        [findKey(edits, 'oldText') ?? 'oldText']: step.oldText,
        [findKey(edits, 'newText') ?? 'newText']: step.newText,
      },
    ]
  } else {
    for (const [meaning, value] of Object.entries(values)) {
      args[findKey(properties, meaning as keyof typeof PARAMETERS) ?? meaning] = value
    }
  }
  for (const name of required) if (!(name in args)) args[name] = toFiller(properties[name])
  return { name: tool.name, args }
}

function findKey(properties: Record<string, Property>, meaning: keyof typeof PARAMETERS): string | undefined {
  const keys = Object.keys(properties)
  for (const name of PARAMETERS[meaning]) {
    const key = keys.find(each => each.toLowerCase().replaceAll('_', '') === name)
    if (key !== undefined) return key
  }
  return undefined
}

function toFiller(property: Property | undefined): unknown {
  if (property?.default !== undefined) return property.default
  if (property?.enum) return property.enum[0]
  const type = Array.isArray(property?.type) ? property.type[0] : property?.type
  switch (type) {
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return property?.minimum ?? 1
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return 'bench'
  }
}
