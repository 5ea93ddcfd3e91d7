// What is stored: sessions, their events, search and usage.
import { z } from 'zod';
import { sessionDetail } from '../api/driving.ts';
import { feedPage, storedView } from '../api/feed-rows.ts';
import { MOST_HITS, searchFound } from '../api/search.ts';
import { sessionProof } from '../api/session-proof.ts';
import { calendarDay, usageBy, usageReport } from '../api/usage.ts';
import { projectRef, runId, sessionId } from '../ids.ts';
import { sessionStatus, sessionTile } from '../session-row.ts';
import { storedLine } from '../stored-line.ts';
import { operation, page, pageSize, wholeNumber, yesOrNo } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'record' } as const;
const params = z.strictObject({ id: sessionId });
const day = calendarDay.meta({ description: "A day of the runner's calendar; it is part of the answer." });
const LONGEST_WORDS = 1_000;

export const record = {
	sessions: operation(
		read,
		'/sessions',
		'List sessions, newest first; with a limit, a page of them with the title of the last event',
		{
			query: z.strictObject({
				projectId: projectRef.optional(),
				status: sessionStatus.optional(),
				archived: yesOrNo.optional().meta({ description: 'Only archived sessions, or only others; both if absent.' }),
				limit: pageSize.optional(),
				cursor: sessionId.optional().meta({ description: 'The last session of the page before.' }),
			}),
			reply: z.array(sessionTile),
		},
	),
	session: operation(read, '/sessions/:id', 'One session, its current status, and whether it takes prompts', {
		params,
		reply: sessionDetail,
	}),
	verify: operation({ ...read, method: 'POST' }, '/sessions/:id/verify', 'Verify the hash chain of a session', {
		params,
		reply: sessionProof,
	}),
	search: operation(read, '/search', 'Events of all sessions that contain these words, newest first', {
		query: z.strictObject({
			words: z.string().min(1).max(LONGEST_WORDS),
			limit: wholeNumber.refine((count) => count >= 1 && count <= MOST_HITS, `expected 1 to ${MOST_HITS}`).default(50),
		}),
		reply: searchFound,
	}),
	usage: operation(read, '/usage', 'Tokens and estimated cost by day, project, agent, model or session', {
		query: z.strictObject({ by: usageBy.default('day'), since: day.optional(), until: day.optional() }),
		reply: usageReport,
	}),
} as const;

/** One or several kinds, separated by commas; kinds of newer versions are allowed. */
const kinds = z
	.string()
	.regex(/^[a-z.]{1,40}(?:,[a-z.]{1,40}){0,99}$/, 'expected kinds separated by commas')
	.meta({ description: 'Only events of these kinds, separated by commas.' });

const place = wholeNumber.refine((offset) => offset >= 1, 'expected an offset from 1');

export const feed = {
	events: operation(read, '/sessions/:id/events', 'Stored lines of a session after an offset, or around one', {
		params,
		query: page.extend({
			around: place.optional().meta({ description: 'The offset in the middle of the page, instead of `after`.' }),
		}),
		reply: z.array(storedLine),
	}),
	lines: operation(
		{ ...read, media: 'application/x-ndjson' },
		'/sessions/:id/lines',
		'The same lines as text, each as it was stored',
		{ params, query: page, reply: z.string() },
	),
	event: operation(read, '/sessions/:id/events/:offset', 'One stored line', {
		params: params.extend({ offset: place }),
		reply: storedLine,
	}),
	rows: operation(read, '/sessions/:id/feed', 'Rows of the newest events, or of those before or after an offset', {
		params,
		query: z.strictObject({
			before: place.optional(),
			after: wholeNumber.optional(),
			limit: pageSize.default(500).meta({ description: 'How many events are looked at; some have no row.' }),
			kind: kinds.optional(),
			run: runId.optional(),
		}),
		reply: feedPage,
	}),
	view: operation(read, '/sessions/:id/view', 'The state of a session, and the offset that it is of', {
		params,
		reply: storedView,
	}),
	export: operation(
		{ ...read, media: 'application/x-ndjson' },
		'/sessions/:id/export',
		'Download a session as JSON lines that "roost verify --file" accepts',
		{ params, reply: z.string() },
	),
} as const;
