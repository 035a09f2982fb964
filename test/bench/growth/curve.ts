/** How a cost grows: one series of points, the cost in milliseconds against a count. */
export interface Curve {
  name: string
  title: string
  /** What the count counts. */
  of: string
  points: readonly (readonly [count: number, ms: number])[]
}

const WIDTH = 340
const HEIGHT = 210
const LEFT = 52
const BOTTOM = 38
const TOP = 34
const RIGHT = 14

/** The curves side by side as one SVG, each with its own scales from zero on. */
export function toSvg(curves: readonly Curve[]): string {
  const columns = Math.min(2, curves.length)
  const rows = Math.ceil(curves.length / columns)
  const panels = curves.map((curve, n) => {
    const x = (n % columns) * WIDTH
    const y = Math.floor(n / columns) * HEIGHT
    return `<g transform="translate(${x} ${y})">${toPanel(curve)}</g>`
  })
  const width = columns * WIDTH
  const height = rows * HEIGHT
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n')
}

function toPanel({ title, of, points }: Curve): string {
  const most = Math.max(...points.map(([count]) => count), 1)
  const slowest = Math.max(...points.map(([, ms]) => ms), 0.001) * 1.15
  const toX = (count: number) => LEFT + (count / most) * (WIDTH - LEFT - RIGHT)
  const toY = (ms: number) => HEIGHT - BOTTOM - (ms / slowest) * (HEIGHT - BOTTOM - TOP)
  const places = points.map(([count, ms]) => `${toX(count).toFixed(1)},${toY(ms).toFixed(1)}`)
  const floor = HEIGHT - BOTTOM
  return [
    `<text x="${LEFT}" y="18" font-weight="bold">${toEscaped(title)}</text>`,
    `<path d="M${LEFT} ${TOP}V${floor}H${WIDTH - RIGHT}" fill="none" stroke="#888888"/>`,
    `<text x="${LEFT - 6}" y="${toY(0)}" text-anchor="end">0</text>`,
    `<text x="${LEFT - 6}" y="${(toY(slowest / 1.15) + 4).toFixed(1)}" text-anchor="end">${(slowest / 1.15).toPrecision(2)}</text>`,
    `<text x="${LEFT - 6}" y="${(HEIGHT / 2).toFixed(1)}" text-anchor="end" fill="#666666">ms</text>`,
    `<text x="${WIDTH - RIGHT}" y="${floor + 14}" text-anchor="end">${most.toLocaleString('en')}</text>`,
    `<text x="${LEFT}" y="${floor + 30}" fill="#666666">${toEscaped(of)}</text>`,
    `<polyline points="${places.join(' ')}" fill="none" stroke="#1f6feb" stroke-width="1.5"/>`,
    ...places.map(place => {
      const [cx, cy] = place.split(',')
      return `<circle cx="${cx}" cy="${cy}" r="2.5" fill="#1f6feb"/>`
    }),
  ].join('')
}

function toEscaped(text: string): string {
  return text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)
}
