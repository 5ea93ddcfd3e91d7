// Operations that only a hub has: pairing, people, its audit log, and commands on their way to a runner.
import { z } from 'zod';
import { inboxAsk } from '../hub/inbox.ts';
import { joinBody, joined } from '../hub/pairing.ts';
import { auditEntry, grant, pairingBody, pairingIssued, person, userName } from '../hub/people.ts';
import { commandRow } from '../hub/runners.ts';
import { hubFound, hubUsageReport } from '../hub/search.ts';
import { runnerId } from '../ids.ts';
import { nothing, operation, page, pageSize } from './operation.ts';
import { record } from './record.ts';

const read = { method: 'GET', needs: 'view', from: 'record' } as const;
const administer = { method: 'POST', needs: 'admin', from: 'record' } as const;

export const hub = {
	join: operation(
		{ ...administer, needs: 'none', status: 201 },
		'/join',
		'Pair a runner and the command line of its user, with a code',
		{
			body: joinBody,
			reply: joined,
		},
	),
	invite: operation(
		// A person may invite another device of their own.
		{ ...administer, needs: 'view', status: 201 },
		'/pairings',
		'A code that pairs a runner or a browser of a user, once, within minutes',
		{
			body: pairingBody,
			reply: pairingIssued,
		},
	),
	revokeRunner: operation(
		// Its owner may, too.
		{ ...administer, needs: 'view', method: 'DELETE' },
		'/runners/:runner',
		'Revoke a runner: closes its connection; its record stays',
		{
			params: z.strictObject({ runner: runnerId }),
			reply: nothing,
		},
	),
	commands: operation(read, '/commands', 'Commands on their way to runners, and recent ones, newest first', {
		query: z.strictObject({ runner: runnerId.optional(), limit: pageSize.default(50) }),
		reply: z.array(commandRow),
	}),
	cancelCommand: operation({ ...read, method: 'DELETE' }, '/commands/:id', 'Cancel a command that was not delivered yet', {
		params: z.strictObject({ id: z.string().min(1).max(64) }),
		reply: nothing,
	}),
	search: operation(read, '/search', 'Events of all runners that contain these words, newest first', {
		query: record.search.query,
		reply: hubFound,
	}),
	usage: operation(read, '/usage', 'Tokens and estimated cost of all runners by day, project, agent, model or session', {
		query: record.usage.query,
		reply: hubUsageReport,
	}),
	inbox: operation(read, '/inbox', 'Pending requests of all runners that the caller may see, the newest 500, oldest first', {
		reply: z.array(inboxAsk),
	}),
	people: operation({ ...administer, method: 'GET' }, '/people', 'People, what they may do, and their devices', {
		reply: z.array(person),
	}),
	grant: operation(administer, '/people/:user/grants', 'Replace what a person may do', {
		params: z.strictObject({ user: userName }),
		body: z.strictObject({ grants: z.array(grant).max(100) }),
		reply: nothing,
	}),
	audit: operation({ ...administer, method: 'GET' }, '/audit', 'What people changed on this hub, as a hash chain', {
		query: page,
		reply: z.array(auditEntry),
	}),
} as const;
