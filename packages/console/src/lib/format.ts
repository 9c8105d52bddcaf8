/** Account quota units of one US dollar; told by the server at the sign-in. */
let unitsPerUsd = 500_000
export const setUnitsPerUsd = (units: number): void => {
  unitsPerUsd = units
}

/** Units as dollars, exact to a millionth: at least cents, and no more zeros than needed. */
export const usd = (units: number): string => usdAmount(units / unitsPerUsd)

/** Units as a decimal of dollars, as forms and the API take it. */
export const usdOf = (units: number): string => String(units / unitsPerUsd)

/** Made once: making one takes longer than a row of a table. */
const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})
const numbers = new Intl.NumberFormat("en-US")
const compactNumbers = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 })

export const usdAmount = (amount: number): string => dollars.format(amount)

export const units = (amount: number): string => `${count(amount)} units`

export const count = (number: number): string => numbers.format(number)

/** A few characters for axes and tiles. */
export const compact = (number: number): string => compactNumbers.format(number)

export const bytes = (size: number): string => {
  const names = ["B", "KiB", "MiB", "GiB"]
  let value = size
  let step = 0
  while (value >= 1024 && step < names.length - 1) {
    value /= 1024
    step += 1
  }
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${names[step]}`
}

export const duration = (ms: number | null): string => {
  if (ms === null) return "–"
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}

/** Unix seconds as `2026-01-31 12:00:00` of the reader's zone. */
export const exactTime = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  const pad = (number: number) => String(number).padStart(2, "0")
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** Unix seconds as `2026-01-31T12:00:00Z`. */
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+/, "")

export const relativeTime = (seconds: number, now = Date.now() / 1000): string => {
  const elapsed = Math.round(now - seconds)
  if (elapsed < -5) return `in ${duration(-elapsed * 1000)}`
  if (elapsed < 5) return "just now"
  if (elapsed < 60) return `${elapsed} s ago`
  if (elapsed < 3600) return `${Math.floor(elapsed / 60)} min ago`
  if (elapsed < 86_400) return `${Math.floor(elapsed / 3600)} h ago`
  if (elapsed < 30 * 86_400) return `${Math.floor(elapsed / 86_400)} d ago`
  return exactTime(seconds).slice(0, 10)
}

/** A long id by its ends. */
export const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 9)}…${id.slice(-6)}` : id)
