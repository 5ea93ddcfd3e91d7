// Writes the golden record of a schema version, which proves that later versions still read it.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AskRow, AskVerdict } from '@roost/protocol/ask';
import { runnerId, sessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { AppendRequest } from '@roost/store/store';
import { unwrap } from '../unwrap.ts';
import { type EventContent, sampleAppend, sampleAsk, sampleEvent, sampleRule, sampleSession } from './sample-append.ts';

const CONTENTS: EventContent[] = [
	{ kind: 'session.start', data: { source: 'startup', model: 'model-1' } },
	{ kind: 'user.prompt', data: { prompt: 'Mend the henhouse 🐓', cwd: '/project' } },
	{ kind: 'tool.pre', data: { tool_name: 'Bash', tool_input: { command: 'hammer --nails 12' } } },
	{ kind: 'agent.message', data: { text: 'The henhouse stands again.\nIt holds.' } },
	{ kind: 'session.end', data: { reason: 'exit' } },
];

/** The same requests every time, so that a test knows the content of a golden database. */
export function goldenAppends(): AppendRequest[] {
	return ['golden-1', 'golden-2'].map((session) => {
		const events = CONTENTS.map((content, at) => sampleEvent(session, at + 1, content));
		return sampleAppend(session, events, {
			session: sampleSession(session, { status: 'ended', events: events.length }),
			asks: goldenAsks(session),
			rules: { add: [sampleRule(`${session}-rule`)] },
		});
	});
}

function goldenAsks(session: string): AskRow[] {
	const owner = { sessionId: sessionId.parse(session) };
	const verdict: AskVerdict = { type: 'allow', updatedInput: { command: 'hammer --nails 13' } };
	return [
		sampleAsk(`${session}-waiting`, owner),
		sampleAsk(`${session}-decided`, {
			...owner,
			state: 'allowed',
			decidedAt: 1_700_000_000_400,
			decidedBy: 'owner@cli',
			verdict,
		}),
	];
}

/** How much of it was acknowledged. */
export const GOLDEN_FLUSHED = 4;

export async function writeGoldenDatabase(path: string): Promise<LogEntry[]> {
	const store = unwrap(openSqliteStore({ path, access: 'write' }));
	const entries: LogEntry[] = [];
	for (const request of goldenAppends()) entries.push(...unwrap(await store.append(request)).entries);
	unwrap(await store.outbox.markFlushed({ runnerId: runnerId.parse('runner-1'), epoch: 1, seqNo: GOLDEN_FLUSHED }));
	await store.close();
	rmSync(`${path}.lock`);
	return entries;
}

// For a new schema version: node --conditions=source packages/testkit/src/rigs/record/golden-database.ts packages/store/golden/v<N>.db
if (import.meta.main && process.argv[2] !== undefined) await writeGoldenDatabase(resolve(process.argv[2]));
