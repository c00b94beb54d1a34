import { describeArticle } from '../../cases/matrix/article';
import { describeQuillhub } from '../../cases/matrix/quillhub';
import { describeVibecode } from '../../cases/matrix/vibecode';
import { judgeHere } from '../../cases/judge-here';

/** Every code × kind × edition, scenario, status and network row of cases/matrix.json. */

describeVibecode(() => judgeHere);
describeQuillhub(() => judgeHere);
describeArticle(() => judgeHere);
