// The whole API over HTTP.
import { type Contract, contract } from '@roost/protocol/contract/contract';
import type { ApiDeps } from './api-call.ts';
import { type ClientOf, createClientOf } from './client-of.ts';
import { tolerantFeed, tolerantProjects } from './tolerant-operations.ts';

export type ApiClient = ClientOf<Omit<Contract, 'sockets'>>;

export function createApiClient(deps: ApiDeps): ApiClient {
	return createClientOf({ ...contract, feed: tolerantFeed, projects: tolerantProjects }, deps);
}
