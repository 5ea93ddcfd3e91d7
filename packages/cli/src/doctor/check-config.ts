// Whether the configuration can be read; each error says itself what is allowed.
import { existsSync } from 'node:fs';
import { configPath } from '@roost/home/config/config-path';
import { loadConfig } from '@roost/home/config/load-config';
import { fail, fine, type Said } from './finding.ts';

export function checkConfig(env: NodeJS.ProcessEnv): Said[] {
	const path = configPath(env);
	const config = loadConfig({ env });
	if (!config.ok) return [fail(config.error.message, `Fix ${path} or the variable that is named; no key is required.`)];
	const source = existsSync(path) ? path : 'none, so the defaults hold';
	return [fine(`${source}; the gate is set to ${config.value.gate.mode}`)];
}
