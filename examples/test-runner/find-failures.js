import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, path: string, line: number }} Failure */

const MAX_FAILURES = 50

/**
 * The failed tests in a TAP report of Node, with the place where each was written. A test that failed only because tests
 * inside it did is left out.
 * @param {string} report
 * @returns {Failure[]}
 */
export function findFailures(report) {
  /** @type {Failure[]} */
  const failures = []
  // `not ok 1 - its name`, then facts between `---` and `...`, indented by as much and two more.
  for (const [, , name = '', facts = ''] of report.matchAll(
    /^( *)not ok \d+ - (.*)\r?\n\1 {2}---\r?\n([\s\S]*?)^\1 {2}\.\.\./gm,
  )) {
    const place = /^ *location: '(.+):(\d+):\d+'\r?$/m.exec(facts)
    if (place === null || /failureType: 'subtestsFailed'/.test(facts)) continue
    const [, path = '', line = '1'] = place
    failures.push({ name: name.trim(), path: toPath(path), line: Number(line) })
    if (failures.length === MAX_FAILURES) break
  }
  return failures
}

/** @param {string} place */
function toPath(place) {
  const text = place.replaceAll('\\\\', '\\')
  return text.startsWith('file:') ? fileURLToPath(text) : text
}
