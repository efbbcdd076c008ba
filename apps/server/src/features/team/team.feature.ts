import { teamRoutes } from '@clearwell/api/team.routes'
import { memberships, teamEvents } from '../../domain/members/memberships.ts'
import { defineFeature } from '../../platform/feature.ts'
import { followTeam } from './follow-team.ts'
import { notifyTeam } from './notify-team.ts'
import { createShareStore } from './share.store.ts'
import { teamHandlers } from './team.handlers.ts'
import { createTeamStore } from './team.store.ts'
import { referralTotals, totalShares } from './total-shares.ts'

/**
 * Teams, and the referral shares that they earned. The session binds a user to its inviter, activations raise the levels,
 * and swaps pay the shares.
 */
export const teamFeature = defineFeature({
  name: 'team',
  about: { en: 'Team and referral', 'zh-HK': '團隊及邀請好友' },
  routes: teamRoutes,
  tables: [memberships, teamEvents, referralTotals],
  notices: ['lead_activated', 'level_up'],
  open({ db, clock, notices, publicUrl, onError }) {
    const store = createTeamStore(db)
    const team = followTeam({ store, clock, onError: (error) => onError(error, 'team') })
    return {
      handlers: teamHandlers({ store, shares: createShareStore(db), team, publicUrl }),
      jobs: [totalShares, notifyTeam(notices)],
      start: team.start,
      stop: team.stop,
    }
  },
})
