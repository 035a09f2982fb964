import { Html } from './html.js'

/** Lines of a 16 × 16 picture for each kind of call. */
const PATHS: Readonly<Record<string, string>> = {
  read: 'M4 2h6l3 3v9H4zM6.5 8h4M6.5 11h4',
  edit: 'M3 13l1-3 7-7 2 2-7 7zM10 4l2 2',
  delete: 'M3 4.5h10M6 4V2.5h4V4M4.5 4.5l.7 9h5.6l.7-9',
  move: 'M2.5 8h10M9 4.5L12.5 8 9 11.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2',
  execute: 'M3 4l4 4-4 4M8.5 12.5h5',
  think: 'M6 13.5h4M6 11.5a4.5 4.5 0 1 1 4 0z',
  fetch: 'M8 2v9M4.5 7.5L8 11l3.5-3.5M3 13.5h10',
  switch_mode: 'M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13',
  other: 'M3.5 3.5h9v9h-9z',
}

/** The icon of a kind of call; the kind itself stands beside it as text. */
export function kindIcon(kind: string): Html {
  const path = Object.hasOwn(PATHS, kind) ? PATHS[kind] : PATHS.other
  return new Html(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`)
}
