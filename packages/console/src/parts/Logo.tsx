export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" style={{ fill: "var(--accent)" }} />
    <path
      d="M9 24 16 7l7 17M12 18h8"
      fill="none"
      stroke-width="2.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      style={{ stroke: "var(--on-accent)" }}
    />
  </svg>
)
