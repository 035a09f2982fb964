import { type ToolDefinition, type ToolExecutionResult, validateArgs } from '../../registry/index.js'
import type { ToolErrorInfo } from '../../registry/types.js'
import { openToolHost } from '../host.js'
import { allowedArguments, brokenArguments, type Mutation } from '../mutations.js'
import { makeScratchTree } from '../scratch-tree.js'
import { labelOf } from '../show.js'
import { specOfSchema } from '../spec-of-schema.js'
import type { ContractOptions, ToolPlugin, ToolSample } from '../types.js'

/** For a tool that runs although it should not. */
const PROBE_MS = 5000

type Subject = ToolDefinition | ToolPlugin

/** The samples fit the schema that a model is told, and the tool takes them. */
export function sampleProblems(
  subject: Subject,
  samples: readonly ToolSample[],
  options: ContractOptions,
): Promise<string[]> {
  return withProbes(subject, samples, options, async (sample, tool, probe) => {
    const label = labelOf(sample)
    const violations = validateArgs(specOfSchema(tool.parameters), sample.args)
    const misfits = violations.map(
      violation => `${label}: the arguments do not fit the tool's parameters: ${violation}`,
    )
    // Without a check of its own the tool is asked by running, which other checks do.
    const refusal = tool.validate === undefined ? undefined : await probe(sample.args)
    const expected = typeof sample.expect === 'object' ? sample.expect.code : undefined
    if (refusal === undefined || refusal.code === expected || violations.length > 0) return misfits
    return [`${label}: the arguments fit the schema, but the tool refuses them: ${refusal.message}`]
  })
}

/** What the schema forbids is refused with INVALID_ARGS before anything runs; what it allows is not refused by accident. */
export function refusalProblems(
  subject: Subject,
  samples: readonly ToolSample[],
  options: ContractOptions,
): Promise<string[]> {
  return withProbes(subject, samples, options, async (sample, tool, probe) => {
    const problems: string[] = []
    const spec = specOfSchema(tool.parameters)
    const isClosed = tool.parameters.additionalProperties === false
    for (const mutation of brokenArguments(spec, sample.args)) {
      problems.push(...takenProblems(tool, sample, mutation, await probe(mutation.args)))
    }
    if (tool.validate === undefined || (await probe(sample.args)) !== undefined) return problems
    for (const mutation of isClosed ? [] : allowedArguments(spec, sample.args)) {
      problems.push(...refusedProblems(sample, mutation, await probe(mutation.args)))
    }
    return problems
  })
}

function takenProblems(
  tool: ToolDefinition,
  sample: ToolSample,
  { label }: Mutation,
  refusal: Refusal | undefined,
): string[] {
  if (refusal?.code === 'INVALID_ARGS' && refusal.name !== 'TypeError') return []
  const what = refusal === undefined ? 'takes them' : `fails with ${refusal.code} (${refusal.message})`
  const advice =
    tool.validate === undefined
      ? 'Make it with defineTool, which checks arguments, or throw INVALID_ARGS before anything is done.'
      : 'Its validate must throw ToolArgsError.'
  return [`${labelOf(sample)}: ${label} the arguments do not fit the schema, but the tool ${what}. ${advice}`]
}

// A tool may ask more than its schema can say; but then it says so, and never of keys it does not know.
function refusedProblems(sample: ToolSample, { label, args }: Mutation, refusal: Refusal | undefined): string[] {
  if (refusal === undefined) return []
  const isOwn = refusal.name === 'ToolArgsError' || refusal.name === 'HarnessError'
  if (isOwn && !Object.hasOwn(args, 'key_of_a_model')) return []
  return [`${labelOf(sample)}: ${label} the arguments fit the schema, but the tool refuses them: ${refusal.message}`]
}

interface Refusal extends ToolErrorInfo {
  message: string
}

type Probe = (args: Record<string, unknown>) => Promise<Refusal | undefined>

type Check = (sample: ToolSample, tool: ToolDefinition, probe: Probe) => Promise<string[]>

/** The problems of all samples, one after another, each in a tree and with a tool of its own. */
async function withProbes(
  subject: Subject,
  samples: readonly ToolSample[],
  options: ContractOptions,
  check: Check,
): Promise<string[]> {
  const problems: string[] = []
  for (const sample of samples) problems.push(...(await withProbe(subject, sample, options, check)))
  return problems
}

/** Calls the tool with arguments to see whether it refuses them. The body of a tool with a check of its own never runs. */
async function withProbe(
  subject: Subject,
  sample: ToolSample,
  options: ContractOptions,
  check: Check,
): Promise<string[]> {
  const tree = await makeScratchTree(sample.files)
  try {
    const host = await openToolHost(subject, options)
    const { ctx, tool } = host
    try {
      const agent = { sessionId: 'probe', cwd: tree.cwd, roots: [tree.cwd], origin: 'model' as const, ...sample.agent }
      const passed: ToolExecutionResult = { callId: 'probe', content: [], isError: false }
      if (tool.validate !== undefined) ctx.on('tools/execute', () => passed, { prepend: true })
      return await check(sample, tool, async args => {
        const signal = AbortSignal.timeout(PROBE_MS)
        const call = { callId: 'probe', name: tool.name, arguments: args, agent, signal }
        const { error, content } = await ctx.tools.execute(call)
        const [block] = content
        return error && { ...error, message: block?.type === 'text' ? block.text : error.code }
      })
    } finally {
      await host.close()
    }
  } finally {
    await tree.remove()
  }
}
