// The feed: one discriminated union, composed from one file per family.
import { z } from 'zod';
import { agentKinds } from './agents.ts';
import { conversationKinds } from './conversation.ts';
import { decisionKinds } from './decisions.ts';
import { environmentKinds } from './environment.ts';
import { runtimeKinds } from './runtime.ts';
import { sessionKinds } from './session.ts';
import { toolKinds } from './tools.ts';

export const feedEvent = z.discriminatedUnion('kind', [
	...sessionKinds,
	...conversationKinds,
	...toolKinds,
	...decisionKinds,
	...agentKinds,
	...environmentKinds,
	...runtimeKinds,
]);

export type FeedEvent = z.infer<typeof feedEvent>;
export type FeedEventKind = FeedEvent['kind'];
export type FeedEventOf<K extends FeedEventKind> = Extract<FeedEvent, { kind: K }>;
/** The data of one kind. */
export type FeedData<K extends FeedEventKind> = FeedEventOf<K>['data'];
