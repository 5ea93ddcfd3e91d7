// The part of the API that the page uses; the rest would only make it larger.

import type { ApiDeps } from '@roost/client/api-call';
import { type ClientOf, createClientOf } from '@roost/client/client-of';
import { tolerantFeed, tolerantProjects } from '@roost/client/tolerant-operations';
import { devices } from '@roost/protocol/contract/access';
import { agents, commands } from '@roost/protocol/contract/agents';
import { asks } from '@roost/protocol/contract/asks';
import { changes } from '@roost/protocol/contract/changes';
import { terminals } from '@roost/protocol/contract/machine';
import { push } from '@roost/protocol/contract/push';
import { record } from '@roost/protocol/contract/record';
import { rules } from '@roost/protocol/contract/rules';
import { runners } from '@roost/protocol/contract/runners';
import { queue, sessions, settings } from '@roost/protocol/contract/sessions';

const USED = {
	record,
	feed: tolerantFeed,
	asks,
	rules,
	sessions,
	settings,
	queue,
	changes,
	agents,
	commands,
	projects: tolerantProjects,
	terminals,
	devices,
	push,
	runners,
};

export type PageApi = ClientOf<typeof USED>;

export function createPageApi(deps: ApiDeps): PageApi {
	return createClientOf(USED, deps);
}
