// Scripted agents with a special behaviour: fast, slow, not interruptible, or with native message ids.

import type { KnownAgent } from '@roost/agents/kind/agent-kind';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { AgentRow } from '@roost/protocol/api/agents';

export function fastAgent(): DrivableAgent {
	return mockAgent({ speed: 20 });
}

/** It works until it is interrupted. */
export function slowAgent(): DrivableAgent {
	return mockAgent({ speed: 0.01 });
}

/** It takes prompts and ignores interrupts; `asked` resolves at the first interrupt. */
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

/** Its messages have native ids; `copiedUpTo` has the last message of each fork. */
export function copiedAgent(): { agent: DrivableAgent; copiedUpTo: (string | undefined)[] } {
	const mock = mockAgent({ speed: 20 });
	const copiedUpTo: (string | undefined)[] = [];
	const open: DrivableAgent['open'] = (request) => {
		if (request.resume?.fork) copiedUpTo.push(request.resume.upTo);
		const { runtime, connection } = mock.open(request);
		const onEvent: Runtime['onEvent'] = (handler) => runtime.onEvent((event) => handler(withNativeId(event)));
		return { runtime: { ...runtime, onEvent }, connection };
	};
	return { agent: { ...mock, open }, copiedUpTo };
}

function withNativeId(event: RuntimeEvent): RuntimeEvent {
	if (event.unread !== undefined || event.hookName !== 'MessageDisplay' || !event.payload.final) return event;
	return { ...event, payload: { ...event.payload, native_id: event.payload.message_id } };
}

export const CODER: KnownAgent = {
	id: 'coder',
	title: 'Coder',
	program: 'coder',
	version: /^coder (\d+\.\d+\.\d+\S*)/m,
	oldest: '2.0.0',
	observed: null,
};

export function sampleAgentRow(over: Partial<AgentRow> = {}): AgentRow {
	return {
		id: 'mock',
		title: 'Scripted agent',
		takesPrompts: true,
		canResume: true,
		canInterrupt: true,
		program: null,
		observed: null,
		guarded: null,
		guardProof: null,
		proven: null,
		...over,
	};
}
