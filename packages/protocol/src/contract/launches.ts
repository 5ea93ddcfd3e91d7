// Launches of observed agents: opened before the agent starts, ended when it has exited.
// The reply to an opened launch holds a secret that a page has no use for, so only the token opens one.
// An agent may start another agent through Roost; what it decides is checked where it decides.
import { z } from 'zod';
import { deciderBody, deciderJudged, launchBody, launchDescribed, launchEnded, launchOpened } from '../api/launches.ts';
import { operation } from './operation.ts';

const launch = { method: 'POST', needs: 'own', from: 'machine', tokenOnly: true, agentsMay: true } as const;
const params = z.strictObject({ id: z.string().min(1) });

export const launches = {
	open: operation({ ...launch, status: 201 }, '/launches', 'Open a launch and get what its hooks need', {
		body: launchBody,
		reply: launchOpened,
	}),
	show: operation({ ...launch, method: 'GET' }, '/launches/:id', 'The session that a launch reports for', {
		params,
		reply: launchDescribed,
	}),
	end: operation(launch, '/launches/:id/end', 'End a launch', { params, reply: launchEnded }),
	judge: operation(
		launch,
		'/launches/decider',
		'Whether a process that wants to decide belongs to an agent; the attempt is recorded',
		{ body: deciderBody, reply: deciderJudged },
	),
} as const;
