import { runnerId, runnerStream, sessionId, streamId } from '@roost/protocol/ids';
import { expect, it } from 'vitest';
import { toLive } from './live.ts';

const RUNNER = runnerId.parse('r1');

it('announces a session with the first line of its stream, but not the runner', () => {
	const first = (stream: string) => ({ seqNo: 1, offset: 1, stream: streamId.parse(stream), line: '{}' });
	const entries = [first(runnerStream(RUNNER)), first('s1'), { ...first('s2'), offset: 2 }];
	const { latest } = toLive({ entries, deltas: [], asks: [], prompts: [], changed: [] }, RUNNER);
	expect(latest.map(({ frame }) => JSON.parse(frame().toString()))).toEqual([{ type: 'session', sessionId: 's1' }]);
});

it('says that files of a session may have changed', () => {
	const changed = [sessionId.parse('s1')];
	const { latest } = toLive({ entries: [], deltas: [], asks: [], prompts: [], changed }, RUNNER);
	expect(latest.map(({ id, frame }) => [id, JSON.parse(frame().toString())])).toEqual([
		['changes s1', { type: 'changes', sessionId: 's1' }],
	]);
});
