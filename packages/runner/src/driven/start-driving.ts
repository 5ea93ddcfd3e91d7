// What a runner drives agents with: wiring only.
import type { PromptsTold } from '@roost/gateway/backend';
import { promptId } from '@roost/protocol/ids';
import type { Store } from '@roost/store/store';
import type { Engine } from '../engine/engine.ts';
import { newSessionId, newShortId } from '../short-id.ts';
import { createDrivenDesk, type DrivenDesk } from './driven-desk.ts';
import type { DrivableAgents } from './may-drive.ts';
import { createPromptQueues, type PromptQueues } from './prompt-queues.ts';

export function startDriving(deps: {
	engine: Engine;
	store: Store;
	drivable: DrivableAgents;
	warn: (sentence: string) => void;
	/** Told what waits for a session's agent whenever that changes. */
	tell: (told: PromptsTold) => void;
}): { driving: DrivenDesk; queues: PromptQueues } {
	const newPromptId = () => promptId.parse(newShortId());
	const queues = createPromptQueues({ newId: newPromptId, now: Date.now, onChange: deps.tell });
	return { queues, driving: createDrivenDesk({ ...deps, queues, newSessionId, newPromptId, now: Date.now }) };
}
