const write = (time: HTMLElement, text: string): void => {
  const { firstChild } = time
  if (firstChild instanceof Text) firstChild.data = text
}

/** What is copied from a page has exact times where the page says how long ago they were: they change places meanwhile. */
export const copyExactTimes = (): void => {
  document.addEventListener("copy", (event) => {
    const selection = getSelection()
    if (event.clipboardData === null || selection === null || selection.rangeCount === 0) return
    const range = selection.getRangeAt(0)
    const times = [...document.querySelectorAll("time")].filter((time) => range.intersectsNode(time))
    if (times.length === 0) return
    const { startContainer, startOffset, endContainer, endOffset } = range
    const shown = times.map(({ textContent }) => textContent)
    for (const time of times) write(time, time.dateTime)
    // A selection that ends within a time has all of it.
    const last = times.find((time) => time.contains(endContainer))
    if (last !== undefined && endOffset > 0) range.setEndAfter(last)
    const box = document.createElement("div")
    box.append(range.cloneContents())
    event.clipboardData.setData("text/plain", selection.toString())
    event.clipboardData.setData("text/html", box.innerHTML)
    event.preventDefault()
    times.forEach((time, index) => {
      write(time, shown[index] ?? "")
    })
    selection.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
  })
}
