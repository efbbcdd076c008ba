/** In React's own chunk, so that React is set up when that runs, and not within the task that needs it first. */
export { createRoot, hydrateRoot } from 'react-dom/client'
