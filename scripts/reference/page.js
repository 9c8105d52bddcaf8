// One choice of the language for all samples, kept for the next visit; a button that copies; links into closed objects.
const remembered = "atelier-language"
const choose = (language) => {
  for (const input of document.querySelectorAll(`.samples input[value="${language}"]`)) input.checked = true
}
try {
  const language = localStorage.getItem(remembered)
  if (language) choose(language)
} catch {}
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".samples input")) return
  const { top } = target.getBoundingClientRect()
  choose(target.value)
  scrollBy({ top: target.getBoundingClientRect().top - top, behavior: "instant" })
  try {
    localStorage.setItem(remembered, target.value)
  } catch {}
})
for (const samples of navigator.clipboard ? document.querySelectorAll(".samples") : []) {
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    const language = samples.querySelector("input:checked").value
    await navigator.clipboard.writeText(samples.querySelector(`pre.${language}`).textContent)
    button.textContent = "Copied"
    setTimeout(() => (button.textContent = "Copy"), 2000)
  })
  samples.querySelector("fieldset").append(button)
}
const open = () => {
  const target =
    location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) {
    target.open = true
    target.scrollIntoView()
  }
}
addEventListener("hashchange", open)
open()
const menu = document.querySelector(".menu")
const wide = matchMedia("(min-width: 1000px)")
const arrange = () => (menu.open = wide.matches)
wide.addEventListener("change", arrange)
arrange()
menu.addEventListener("click", ({ target }) => {
  if (target.matches("a") && !wide.matches) menu.open = false
})
