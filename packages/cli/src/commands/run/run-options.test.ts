import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type RunOptions, toRunRequest } from './run-options.ts';

const WORLD = { cwd: '/here', isWatched: false };

describe('options of a headless run', () => {
	it('default to waiting for asks in an attended run, and denying them otherwise', () => {
		expect(unwrap(toRunRequest({}, { ...WORLD, isWatched: true })).onAsk).toBe('wait');
		expect(unwrap(toRunRequest({}, WORLD)).onAsk).toBe('deny');
		expect(unwrap(toRunRequest({ onAsk: 'fail' }, { ...WORLD, isWatched: true })).onAsk).toBe('fail');
	});

	it('resolve the folder against the current one, and convert the timeout from seconds', () => {
		const options = { cwd: 'there', timeout: '0.5' };
		expect(unwrap(toRunRequest(options, WORLD))).toMatchObject({ cwd: '/here/there', timeoutMs: 500 });
		expect(unwrap(toRunRequest({}, WORLD))).toMatchObject({ cwd: '/here', timeoutMs: undefined });
	});

	it.each<[RunOptions, string]>([
		[{ onAsk: 'allow' }, '--on-ask takes wait, deny or fail; it was "allow".'],
		[{ timeout: '0' }, '--timeout takes seconds, more than 0 and at most 1000000; it was "0".'],
		[{ timeout: '-1' }, 'it was "-1".'],
		[{ timeout: 'soon' }, 'it was "soon".'],
		[{ timeout: '1e9' }, 'it was "1e9".'],
		[{ timeout: '1000001' }, 'it was "1000001".'],
		[{ timeout: '' }, 'it was "".'],
		[{ maxTurns: '0' }, '--max-turns takes a whole number from 1 to 1000000; it was "0".'],
		[{ maxTurns: '2.5' }, 'it was "2.5".'],
		[{ maxTurns: '1000001' }, 'it was "1000001".'],
		[{ agent: '' }, '--agent takes a value; it was empty.'],
		[{ resume: '' }, '--resume takes a value; it was empty.'],
		[{ resume: 'k3f9', agent: 'mock' }, '--agent cannot be combined with --resume: a session keeps its settings.'],
		[
			{ resume: 'k3f9', permissionMode: 'plan' },
			'--permission-mode cannot be combined with --resume: a session keeps its settings.',
		],
		[{ resume: 'k3f9', maxTurns: '3' }, '--max-turns cannot be combined with --resume: a session keeps its settings.'],
		[{ resume: 'k3f9', cwd: '.' }, '--cwd cannot be combined with --resume: a session keeps its settings.'],
	])('are rejected if invalid: %j', (options, sentence) => {
		const error = unwrapError(toRunRequest(options, WORLD));
		expect(error.code).toBe('usage');
		expect(error.message).toContain(sentence);
	});
});
