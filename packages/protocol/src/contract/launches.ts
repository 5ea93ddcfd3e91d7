// Launches of observed agents: opened before the agent starts, ended when it is gone.
// The reply to an opened launch holds a secret that a page has no use for, so only the token opens one.
// An agent may start another agent through Roost; what it decides is checked where it decides.
import { z } from 'zod';
import { deciderBody, deciderJudged } from '../api/deciders.ts';
import { launchBody, launchDescribed, launchEnded, launchOpened } from '../api/launches.ts';
import { API, defineOperation } from './operation.ts';

const path = `${API}/launches`;
const launch = { method: 'POST', needs: 'own', from: 'machine', tokenOnly: true, agentsMay: true } as const;
const ofLaunch = z.strictObject({ id: z.string().min(1) });

export const launches = {
	open: defineOperation({
		...launch,
		path,
		summary: 'Open a launch and get what its hooks need',
		status: 201,
		body: launchBody,
		reply: launchOpened,
	}),
	show: defineOperation({
		...launch,
		method: 'GET',
		path: `${path}/:id`,
		summary: 'The session that a launch reports for',
		params: ofLaunch,
		reply: launchDescribed,
	}),
	end: defineOperation({ ...launch, path: `${path}/:id/end`, summary: 'End a launch', params: ofLaunch, reply: launchEnded }),
	judge: defineOperation({
		...launch,
		path: `${path}/decider`,
		summary: 'Whether a process that wants to decide belongs to an agent; the attempt is recorded',
		body: deciderBody,
		reply: deciderJudged,
	}),
} as const;
