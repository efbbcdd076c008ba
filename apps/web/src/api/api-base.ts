/**
 * Where every call goes, without a slash at its end: `VITE_API_BASE` of the build, such as `/dapp/api` or
 * `https://api.example/v1`; by default `/api` of the site that serves the app.
 */
export const API_BASE: string = (import.meta.env.VITE_API_BASE ?? '/api').replace(/\/+$/, '')
