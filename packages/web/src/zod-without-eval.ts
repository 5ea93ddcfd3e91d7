// Imported first: the policy of the page forbids `eval`, which zod would otherwise try once.
import { z } from 'zod';

z.config({ jitless: true });
