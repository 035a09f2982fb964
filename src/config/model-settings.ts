import * as z from 'zod'

const text = z.string().min(1)
const count = z.int().min(1)
const dollars = z.number().min(0)
const seconds = z.int().min(1).max(3600)
const modelName = text.refine(value => /^[^/\s]+\/\S+$/.test(value), 'expected provider/model')
const address = text.refine(isAddress, 'expected an http or https address without a key in it')

const facts = {
  /** As the editor's selector shows it. */
  name: text.optional(),
  /** In tokens. */
  contextSize: count.optional(),
  maxOutputTokens: count.optional(),
  images: z.boolean().optional(),
  thinkingLevels: z.array(text).optional(),
  /** US dollars per million tokens. */
  price: z
    .strictObject({
      input: dollars,
      output: dollars,
      cacheRead: dollars.optional(),
      cacheWrite: dollars.optional(),
    })
    .optional(),
}

/** An entry is a model's name alone, or the name with what is known of it. */
function modelList(id: typeof text) {
  return z
    .array(
      z.union(
        [id.transform(value => ({ id: value })), z.strictObject({ id, ...facts })],
        'expected the name of a model, or settings with its id',
      ),
    )
    .default([])
}

/** The settings on models and on the way to them. */
export const modelSettings = {
  model: modelName.optional(),
  models: modelList(modelName),
  providers: z
    .record(
      text.refine(value => /^[a-z][a-z0-9_-]*$/.test(value), 'expected a name of small letters, digits, - and _'),
      z.strictObject({
        baseUrl: address.optional(),
        /** Name of the environment variable that holds the key. */
        keyVariable: text
          .refine(value => /^[A-Za-z_][A-Za-z0-9_]*$/.test(value), 'expected the name of an environment variable')
          .optional(),
        headers: z.record(text, z.string()).default({}),
        models: modelList(text),
        firstByteSeconds: seconds.optional(),
        idleSeconds: seconds.optional(),
      }),
    )
    .default({}),
  caFile: text.optional(),
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
