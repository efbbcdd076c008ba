import { useQuery } from '@tanstack/react-query'
import { configQuery } from './config.ts'

/** Why the configuration is not there, where it could not be had; it is asked for again by itself. */
export function useConfigError(): Error | undefined {
  const { data, error } = useQuery(configQuery)
  return data === undefined ? (error ?? undefined) : undefined
}
