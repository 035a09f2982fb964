import { expect, test } from 'vitest'
import { defineTool, toolCatalog } from '../../src/registry/index.js'

const todo = defineTool({
  name: 'todo',
  description: 'Sets the plan.',
  parameters: {
    entries: {
      type: 'array',
      required: true,
      description: 'The whole list.',
      items: {
        type: 'object',
        properties: {
          content: { type: 'string', required: true },
          status: { type: 'string', required: true, enum: ['pending', 'completed'] },
        },
      },
    },
    limit: { type: 'integer', description: 'At most\nthis | many.', default: 10 },
  },
  execute: async () => [],
})
const list = defineTool({ name: 'list', description: '', parameters: {}, execute: async () => [] })

test('the catalog lists tools by name with one row for each parameter, nested ones too', () => {
  expect(toolCatalog([todo, list])).toBe(`# Tools

Generated from the registered tools. \`*\` marks a required parameter.

## list

No parameters.

## todo

Sets the plan.

| parameter | type | |
|---|---|---|
| \`entries\` * | array of object | The whole list. |
| \`entries[].content\` * | string |  |
| \`entries[].status\` * | \`"pending"\`, \`"completed"\` |  |
| \`limit\` | integer | At most this \\| many. Default \`10\`. |
`)
})

test('the order of registration does not change the catalog', () => {
  expect(toolCatalog([list, todo])).toBe(toolCatalog([todo, list]))
})

test('a schema that is more than a list of parameters is shown whole (B77)', () => {
  const parameters = { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }] }
  const page = toolCatalog([{ name: 'odd', description: 'Odd.', parameters }])
  expect(page).toContain(`\`\`\`json\n${JSON.stringify(parameters, undefined, 2)}\n\`\`\``)
})
