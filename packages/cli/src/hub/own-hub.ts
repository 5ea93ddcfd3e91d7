// The hub that commands administer: the one that `--hub` names, else the one that runs on this machine, with its token.
import { createClientOf } from '@roost/client/client-of';
import { isAgentMark } from '@roost/core/runtime/child-environment';
import { resolveHome } from '@roost/home/home';
import { hubFolderOf } from '@roost/home/hub/hub-folder';
import { readRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { AppError } from '@roost/protocol/app-error';
import { hub } from '@roost/protocol/contract/hub';
import { runners } from '@roost/protocol/contract/runners';
import { err, ok, type Result } from '@roost/protocol/result';
import { fetchPinned, nodeFetch } from '../transport/node-transport.ts';
import { connectToHub, type HubClient } from './connect-hub.ts';
import { currentTarget } from './target.ts';

export type Administered = { api: HubClient; url: string };

export function connectToAdminister(env: NodeJS.ProcessEnv): Result<Administered> {
	if (Object.keys(env).some(isAgentMark)) return err(new AppError('unauthorized', NOT_FOR_AGENTS));
	const target = currentTarget();
	if (!target) return connectToOwn(env);
	const connected = connectToHub(target.hub, env);
	return connected.ok ? ok({ api: connected.value, url: target.hub }) : connected;
}

function connectToOwn(env: NodeJS.ProcessEnv): Result<Administered> {
	const home = resolveHome(env);
	if (!home.ok) return home;
	const folder = hubFolderOf(home.value);
	const running = readRunnerFile({ run: folder });
	if (!running.ok) return running;
	if (!running.value) return err(new AppError('cannot_start', NO_HUB));
	const token = keepToken({ home: { data: folder }, env: {} });
	if (!token.ok) return token;
	const { port, ownUrl: baseUrl = `http://127.0.0.1:${port}`, url = baseUrl, certificate } = running.value;
	const deps = { baseUrl, token: token.value, face: 'cli', fetch: certificate ? fetchPinned(certificate) : nodeFetch };
	return ok({ api: createClientOf({ hub, runners }, deps), url });
}

const NO_HUB = 'No hub runs on this machine. Start one with "roost hub", or name one with "roost --hub <url>".';
const NOT_FOR_AGENTS = 'Agents cannot do this: this terminal belongs to an agent that Roost governs. Use another terminal.';
