import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { toLazySchemas, toNamespaceImports } from '../bundle.config.js'

const source = `import * as z from "zod/v4";
/** A name; */
export const zName = make('name');
/**
 * Made of zName.
 */
export const zPerson = make('person', {
    name: zName.optional(),
    zip: zipOf(zName),
});
export const zPeople = make('people', zPerson);
//# sourceMappingURL=zod.gen.js.map`

it('a schema of the SDK is built when a message first needs it, with those that it is made of, and once', () => {
  const built: string[] = []
  const make = (name: string) => {
    built.push(name)
    return { optional: () => name, parse: (value: unknown) => `${name}: ${value}` }
  }
  const script = toLazySchemas(source)
    .replace(/^import.*$/m, '')
    .replaceAll(/^export /gm, '')
  const { zPerson } = runInNewContext(`${script}\n;({ zPerson })`, { make, zipOf: () => 0 })
  expect(built).toEqual([])
  expect(zPerson.parse(1)).toBe('person: 1')
  expect(zPerson.parse(2)).toBe('person: 2')
  expect(built).toEqual(['name', 'person'])
})

it.each([
  ['no schema at all', 'export {}'],
  ['a schema by another name', `${source}\nexport const other = make('x');\n`],
  ['a statement without an end', `${source}\nexport const zOther = make('x')\n`],
])('a build with %s fails', (_, text) => {
  expect(() => toLazySchemas(text)).toThrow(/written in another way/)
})

it("an import of zod's z becomes one of its namespace, and no other import changes", () => {
  const rest = `import { ZodError } from 'zod'\nimport { z } from './z.js'\n`
  expect(toNamespaceImports(`import { z as z2 } from "zod/v4"\nimport { z } from 'zod'\n${rest}`)).toBe(
    `import * as z2 from "zod/v4"\nimport * as z from 'zod'\n${rest}`,
  )
})
