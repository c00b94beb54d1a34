import { describeAfresh } from '../../cases/afresh/index';
import { judgeHere } from '../../cases/judge-here';

describeAfresh(() => judgeHere);
