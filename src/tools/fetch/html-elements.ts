/** Elements whose text is not the page's: code, forms of input, and the links that lead around a site. */
export const SKIPPED = new Set(
  'script style noscript template svg math iframe object canvas audio video map select datalist textarea nav dialog'.split(
    ' ',
  ),
)

/** Elements that stand apart from what is around them, with the line breaks before and after. */
export const BREAKS: ReadonlyMap<string, 1 | 2> = new Map([
  ...'p ul ol dl blockquote figure table h1 h2 h3 h4 h5 h6 hr section article main header footer aside details fieldset form address'
    .split(' ')
    .map(name => [name, 2] as const),
  ...'div li dt dd figcaption summary legend caption tr td th option body'.split(' ').map(name => [name, 1] as const),
])

/** Marks around the text of an element. */
export const MARKS: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '_'],
  ['em', '_'],
  ['del', '~~'],
  ['s', '~~'],
])

export const CODE = new Set(['code', 'kbd', 'samp', 'tt'])
