import { describeConformance } from '../conformance/conformance.contract.ts';
import { codexStage } from './codex.stage.contract.ts';

describeConformance(codexStage);
