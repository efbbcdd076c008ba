import type { Notice } from './notice.queries.ts'

export const NOTICES: Notice[] = ['4', '3', '2', '1'].map((id) => ({
  id,
  kind: 'upgrade_requested',
  params: { request_id: id, name: 'Mei', star: 1 },
  link: '/rich',
  read: true,
  created_at: '2030-01-01T00:00:00.000Z',
}))
