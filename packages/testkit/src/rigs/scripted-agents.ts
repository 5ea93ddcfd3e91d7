// Scripted agents of other kinds than the usual one: one that hurries, and one that cannot be stopped.
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { DrivableAgent } from '@roost/core/runtime/connection';

export function fastAgent(): DrivableAgent {
	return mockAgent({ speed: 20 });
}

/** It takes prompts and heeds no interrupt; `asked` resolves when somebody tries. */
export function deafAgent(): { agent: DrivableAgent; asked: Promise<void> } {
	const { promise, resolve } = Promise.withResolvers<void>();
	const mock = mockAgent();
	const open: DrivableAgent['open'] = (request) => {
		const { runtime, connection } = mock.open(request);
		const abort = () => {
			resolve();
			return new Promise<void>(() => {});
		};
		return { runtime, connection: { ...connection, abort } };
	};
	return { agent: { ...mock, open }, asked: promise };
}
