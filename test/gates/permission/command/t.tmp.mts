import { decideCommand } from '../../../../src/gates/permission/command/index.js'
import { resolve as r } from 'node:path'
import { realpathSync } from 'node:fs'
const cwd='/work/main'
const ctx=(a:string[]=[],d:string[]=[])=>({cwd,roots:[cwd],rules:{allow:a.map(w=>({words:w.split(' '),source:'your config'})),ask:[],deny:d.map(w=>({words:w.split(' '),source:'your config'}))},resolve:async(p:string)=>{let real=p;try{real=realpathSync(p)}catch{};return{realPath:real,inside:real===cwd||real.startsWith(cwd+'/')}}})
for(const line of process.argv.slice(2).length?process.argv.slice(2):`git status
ls -la
ls *
cat .env
cat .e*
cat ../x
cat src/../package.json
grep -rn foo src
grep -rn foo .
rg foo
git log --oneline -5
git log --output=x
git -C /tmp log
find . -name '*.ts' -exec rm {} ;
find src -name '*.ts'
echo hi > /dev/null 2>&1
echo hi > f
npm test -- --watch
npm run build && npm test
cd src && ls
cd src && git status
cd src && npm test
rm -rf x
sudo ls
node --version
./x --version
git push
X=1 ls
ls $(rm x)
cat <<EOF
cat <(ls)
timeout 60 npm test
timeout 60 rm x
bash -c "rm x"
echo "$HOME"
python -c 'x'
make test
tail -n 5 package.json | head -2
git branch
git branch foo
git branch --list
git diff HEAD~1 -- src
sed -n 1,5p package.json
for f in a b; do echo hi; done
sort -o x y
[ -f x ] && ls
command -v node
ls; 
# nothing`.split('\n')){const d=await decideCommand(line,ctx(['git *'],['rm *']));const e=await decideCommand(line,ctx());console.log(line.padEnd(40),'|',e.decision,e.row,'|',e.because,'|',JSON.stringify(e.always),e.onlyLooks?'L':'', '||', d.decision,d.row)}
const t=performance.now();for(let i=0;i<2000;i++)await decideCommand('git log --oneline -5 && npm test | tail -5',ctx(['npm *']));console.log((performance.now()-t)/2000*1000,'µs')
