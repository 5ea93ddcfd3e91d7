import { realTimers } from '@roost/machine/timers';
import { describe, expect, it } from 'vitest';
import { PI_HOOK_PROTOCOL } from '../pi/launch.ts';
import { createLaunchRuntime } from './launch-runtime.ts';

const report = (id: string, session: string) =>
	({ request_id: id, ts: 1, session_id: session, hook_event_name: 'SessionStart', payload: { source: 'startup' } }) as const;

describe('launch', () => {
	it('reports the repository configuration once, for the first session with an id', () => {
		const deps = { gate: 'observe', protocol: PI_HOOK_PROTOCOL, timers: realTimers, now: () => 1, newId: () => 'n' } as const;
		const { runtime, accept } = createLaunchRuntime({ ...deps, repository: ['one: a', 'two: b'] });
		const reported: unknown[] = [];
		runtime.onEvent(({ hookName, sessionId, payload }) => reported.push([hookName, sessionId, payload]));
		runtime.start();
		for (const [id, session] of [
			['1', ''],
			['2', 's1'],
			['3', 's2'],
		] as const)
			accept(report(id, session), () => {});
		expect(reported).toMatchObject([
			['SessionStart', '', {}],
			['SessionStart', 's1', {}],
			['Notification', 's1', { message: 'one: a', notification_type: 'repository_settings' }],
			['Notification', 's1', { message: 'two: b' }],
			['SessionStart', 's2', {}],
		]);
	});
});
