import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describeConnectionContract } from './live/connection.contract.ts';
import { openMockAgent } from './mock/driven/open-mock-agent.ts';

describeConnectionContract('the scripted agent', async () => {
	const timers = createManualTimers();
	return {
		open: (request) => openMockAgent({ cwd: '/project', gate: 'enforce', ...request }, { timers, now: timers.now }),
		pass: () => timers.advance(100),
		prompts: { answered: 'read it', long: 'explain it', acts: 'run the tests' },
		async [Symbol.asyncDispose]() {},
	};
});
