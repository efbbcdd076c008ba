/** EIP-6963 asks for a data: URI. */
export const DEMO_WALLET_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12324a"/><path d="M8 12h16v11H8zM8 12l11-4v4" fill="none" stroke="#f5b94f" stroke-width="2" stroke-linejoin="round"/><circle cx="20" cy="17.500" r="1.600" fill="#f5b94f"/></svg>',
)}`
