// In-memory parts of a backend: devices, trust in MCP servers, and prompts of agents that never finish.

import {
	createPrompts,
	foldPrompt,
	type PromptChange,
	type Prompts,
	refuseChange,
	toPromptUpdate,
} from '@roost/core/session/prompts';
import { toDeviceId } from '@roost/gateway/access/verify-signature';
import type { Backend, DeviceBook, PromptsUpdate, PushBook } from '@roost/gateway/operations/backend';
import type { McpTrust, TrustedServer } from '@roost/home/mcp-trust';
import type { Device } from '@roost/protocol/api/devices';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { promptId, type SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';

export function createMemoryDevices(): DeviceBook {
	const devices = new Map<string, Device>();
	return {
		list: () => [...devices.values()],
		find: (id) => devices.get(id),
		async register(body) {
			const device = { ...body, id: toDeviceId(body.publicKey), createdAt: 0, lastSeenAt: 0 };
			devices.set(device.id, device);
			return ok(device);
		},
		noteSeen: () => undefined,
		async revoke(id) {
			devices.delete(id);
			return ok(undefined);
		},
	};
}

/** Sends nothing. */
export function createMemoryPush(): PushBook {
	const devices = new Set<string>();
	const change = (changed: () => unknown) => {
		changed();
		return Promise.resolve(ok(undefined));
	};
	return {
		publicKey: () => ok('B'.repeat(87)),
		has: (device) => devices.has(device),
		subscribe: (device) => change(() => devices.add(device)),
		unsubscribe: (device) => change(() => devices.delete(device)),
		test: () => change(() => undefined),
		forget: (device) => void devices.delete(device),
	};
}

export function createMemoryMcpTrust(): McpTrust {
	const trusted = new Map<string, TrustedServer>();
	const key = (project: string, name: string) => JSON.stringify([project, name]);
	return {
		list: (project) => ok([...trusted.values()].filter((each) => each.project === project)),
		trust(project, name, hash) {
			trusted.set(key(project, name), { project, name, hash });
			return ok(undefined);
		},
		untrust: (project, name) => ok(trusted.delete(key(project, name))),
		isTrusted: (project, name, hash) => trusted.get(key(project, name))?.hash === hash,
	};
}

export type WaitingPrompts = {
	handlers: Backend['queue'];
	/** Of sessions that have any. */
	all(): PromptsUpdate[];
	add(id: SessionId, text: string): Promise<Result<QueuedPrompt>>;
};

export function createWaitingPrompts(onChange: (reported: PromptsUpdate) => void): WaitingPrompts {
	const queues = new Map<SessionId, Prompts>();
	let made = 0;
	const list = (id: SessionId) => queues.get(id)?.waiting ?? [];

	async function change(sessionId: SessionId, wanted: PromptChange): Promise<Result<void>> {
		const prompts = queues.get(sessionId) ?? createPrompts();
		const refused = refuseChange(prompts, wanted);
		if (refused) return err(refused);
		foldPrompt(prompts, { data: toPromptUpdate(wanted), ts: 0 });
		queues.set(sessionId, prompts);
		onChange({ sessionId, prompts: prompts.waiting });
		return ok(undefined);
	}

	async function then(sessionId: SessionId, wanted: PromptChange): Promise<Result<QueuedPrompt>> {
		const changed = await change(sessionId, wanted);
		const found = list(sessionId).find(({ id }) => id === wanted.id);
		if (!changed.ok) return changed;
		if (!found) throw new Error('a prompt that was just changed waits no longer');
		return ok(found);
	}

	return {
		all: () => [...queues].flatMap(([sessionId, { waiting }]) => (waiting.length > 0 ? [{ sessionId, prompts: waiting }] : [])),
		add: (id, text) => then(id, { type: 'add', id: promptId.parse(`prompt-${++made}`), text }),
		handlers: {
			list: ({ id }) => ok(list(id)),
			edit: ({ id, promptId, text }) => then(id, { type: 'edit', id: promptId, text }),
			move: ({ id, promptId, to }) => change(id, { type: 'move', id: promptId, position: to }),
			cancel: ({ id, promptId }) => change(id, { type: 'cancel', id: promptId, reason: 'cancelled by a test' }),
			sendNow: ({ id, promptId }) => change(id, { type: 'steer', id: promptId }),
		},
	};
}
