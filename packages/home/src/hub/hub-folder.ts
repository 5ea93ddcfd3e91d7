// Where a hub of this user keeps its files: a folder of its own, so that a runner of the same user does not meet them.
import { join } from 'node:path';
import type { Home } from '../home.ts';

export function hubFolderOf({ data }: Pick<Home, 'data'>): string {
	return join(data, 'hub');
}
