import { sessionId } from '@roost/protocol/ids';
import { sampleAsk, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { firstSession } from './source.ts';

const HERE = '/here';
const here = { projectPath: HERE };
const elsewhere = { projectPath: '/elsewhere' };
const ended = sampleSession('ended', { ...here, status: 'ended' });
const idle = sampleSession('idle', { ...here, status: 'idle' });
const asking = sampleSession('asking', { ...here, status: 'waiting' });
const foreign = sampleSession('foreign', { ...elsewhere, status: 'waiting' });
const ask = (id: string) => sampleAsk(`${id}.1`, { sessionId: sessionId.parse(id) });

describe('first open session', () => {
	it.each([
		['the newest live one', [ended, idle], [], 'idle'],
		['the newest if none is live', [ended], [], 'ended'],
		['the one that needs the user', [idle, ended, asking], [ask('asking')], 'asking'],
		['the one of this project that needs the user', [idle, foreign, asking], [ask('foreign'), ask('asking')], 'asking'],
		['the one of another project that needs the user', [idle, foreign], [ask('foreign')], 'foreign'],
		['none of another project without pending requests', [foreign], [], undefined],
		['no archived session', [{ ...idle, archived: true as const }], [], undefined],
		['no unknown session', [ended], [ask('unheard')], 'ended'],
	])('is %s', (_, sessions, asks, first) => {
		expect(firstSession(sessions, asks, HERE)).toBe(first);
	});
});
