#!/bin/sh
# Pictures and videos of a run are complete; what cannot be rendered is refused in one line.
. "$WEFT_SOURCE_DIR/tests/cli/common.sh"

small_scene 20 8 >sheet.yaml
echo 'view: {width: 64, height: 36, samples: 1, occlusion_samples: 1, cloth_back: [0.2, 0.5, 0.3]}' >>sheet.yaml
"$WEFT" run sheet.yaml --quiet --write pc2 || fail 'the run'
run=out/sheet
[ -s $run/frames.weft ] || fail 'a run without frames.weft'

# size_of PNG: "64 x 36", from the bytes of its header
size_of() {
    od -An -tu1 -j16 -N8 "$1" | awk '{ print ($3 * 256 + $4) " x " ($7 * 256 + $8) }'
}
render() { "$WEFT" render "$@" --quiet || fail "render $*"; }

# A picture of the last frame and of another one, with the scene's view changed by --set and --size.
says 'sheet: out/sheet/sheet.png' "$WEFT" render $run
[ "$(size_of $run/sheet.png)" = '64 x 36' ] || fail "the still is $(size_of $run/sheet.png)"
grep -q '^  width: 64$' $run/view.yaml || fail "view.yaml: $(cat $run/view.yaml)"
cp $run/sheet.png last.png
render $run --frame 20
cmp $run/sheet.png last.png || fail '--frame 20 is not the last frame'
render $run --frame 3 --out elsewhere --threads 2
cmp -s elsewhere/sheet.png last.png && fail 'frame 3 looks like the last one'
render $run --frame 3 --out one --threads 1
cmp elsewhere/sheet.png one/sheet.png || fail 'another picture with other threads'

# A single picture may go to a file of any name.
render $run --frame 3 --out still.png
[ -f still.png ] || fail '--out still.png is not a file'
cmp still.png one/sheet.png || fail '--out still.png is another picture'
render $run --frame 3 --out new/folder/STILL.PNG
cmp new/folder/STILL.PNG one/sheet.png || fail '--out in a new folder'
render $run --sheet 2 --out contact.png
[ -f contact.png ] || fail '--sheet --out contact.png is not a file'
refused 2 '--out FILE.png takes one picture: choose it with --frame N, or name a folder' "$WEFT" render $run --frames 0..3 --out many.png
[ ! -e many.png ] || fail 'a refused --out made a folder'
refused 2 '--out: pictures are PNG files and videos MP4 files' "$WEFT" render $run --out t.jpg
[ ! -e t.jpg ] || fail 'a refused --out made a folder'
refused 2 'use --out FILE.png, --video FILE.mp4, or a folder' "$WEFT" render $run --frames 0..1 --out clips/t.MP4
cp $run/view.yaml view.kept
echo 'azimuth: 90 deg' >$run/view.yaml
refused 1 "view.yaml:1: unknown key 'azimuth'; the only one is 'view', and this key belongs under it" "$WEFT" render $run
echo 'views: {azimuth: 90 deg}' >$run/view.yaml
refused 1 "view.yaml:1: unknown key 'views'; the only one is 'view' (weft help view)" "$WEFT" render $run
cp view.kept $run/view.yaml
mkdir taken.png
refused 1 'taken.png: ' "$WEFT" render $run --out taken.png

render $run --size 32x20 --out small --set 'view.cloth_back=[0.9, 0.1, 0.1]'
[ "$(size_of small/sheet.png)" = '32 x 20' ] || fail '--size'
render $run --frame 12 --out plain
for look in wireframe=true particles=true springs=type springs=tension color=stretch color=curvature color=speed \
    camera=given turntable=90; do
    render $run --frame 12 --out "look-$look" --set "view.$look"
    cmp -s "look-$look/sheet.png" plain/sheet.png && fail "view.$look changes nothing"
done

# The picture shows bodies at their place in that frame; a plane is the ground.
bodies='bodies: [plane: {at: [0, -3, 0]}, box: {size: [0.2, 0.2, 0.2], at: [0.5, -0.9, 0.2],
  keys: [{time: 0}, {time: 0.4, offset: [0, 0.4, 0]}]}]'
{ cat sheet.yaml; echo "$bodies"; } >bodies.yaml
sed 's/keys: .*/keys: []}]/' bodies.yaml >still.yaml
for scene in bodies still; do
    "$WEFT" run $scene.yaml --quiet --write pc2 || fail "the run of $scene"
done
given() { render "$1" --frame "$2" --out "$3" --set 'view.position=[0.5, 0.5, 4]' --set 'view.target=[0.5, -0.5, 0.2]'; }
given $run 0 without && given out/bodies 0 start && given out/still 0 there && given out/bodies 20 end && given out/still 20 stays
cmp -s without/sheet.png start/bodies.png && fail 'no body in the picture'
cmp start/bodies.png there/still.png || fail 'a body that will move looks different at the start'
cmp -s end/bodies.png stays/still.png && fail 'a body that moves stays in the picture'

# Numbered pictures; only --resume keeps existing ones.
render $run --frames 0..20/5
[ "$(ls $run/png)" = "$(printf 'sheet.settings\nsheet_0000.png\nsheet_0005.png\nsheet_0010.png\nsheet_0015.png\nsheet_0020.png')" ] ||
    fail "$(ls $run/png)"
cp $run/png/sheet_0010.png ten.png
rm $run/png/sheet_0010.png
echo kept >$run/png/sheet_0005.png
render $run --frames 0..20/5 --resume
cmp $run/png/sheet_0010.png ten.png || fail 'a resumed picture differs'
[ "$(cat $run/png/sheet_0005.png)" = kept ] || fail '--resume made a picture again'
refused 1 'without --resume' "$WEFT" render $run --frames 0..20/5 --resume --set view.exposure=1
render $run --frames 0..20/5
[ "$(size_of $run/png/sheet_0005.png)" = '64 x 36' ] || fail 'a picture was kept without --resume'
render $run --frames 18.. --out from
render $run --frames ..2 --out to
render $run --frames 7 --out single
[ "$(ls from/png/*.png to/png/*.png single/png/*.png | wc -l)" -eq 7 ] || fail 'open ends of --frames'

# A contact sheet.
"$WEFT" render $run --sheet 6 >sheet.out 2>sheet.err || fail '--sheet'
grep -q 'frame 6/6' sheet.err || fail "no progress: $(cat sheet.err)"
width=$(size_of $run/sheet_sheet.png | cut -d' ' -f1)
[ "$width" -gt 192 ] && [ "$width" -lt 256 ] || fail "a sheet of 3 columns is $width wide"

# An unfinished run is rendered as far as it got; a truncated one is refused with the number of missing bytes.
mkdir unfinished cut
size=$(wc -c <$run/frames.weft)
head -c $((size / 2)) $run/frames.weft >unfinished/frames.weft.part
render unfinished --size 32x20
[ -s unfinished/sheet.png ] || fail 'an unfinished run gives no picture'
head -c $((size - 1)) $run/frames.weft >cut/frames.weft
refused 1 "a truncated take: $((size - 1)) bytes there, $size needed" "$WEFT" render cut
head -c 20 $run/frames.weft >cut/frames.weft
refused 1 'a truncated take: 20 bytes there' "$WEFT" render cut
noise 4000 >cut/frames.weft
refused 1 'not a take of weft' "$WEFT" render cut

# Refused requests.
mkdir empty
refused 1 'no run of weft is here' "$WEFT" render empty
refused 1 'nowhere: No such file' "$WEFT" render nowhere
"$WEFT" run sheet.yaml --quiet --frames 1 --write none --out none
refused 1 'this run kept no frames' "$WEFT" render none
"$WEFT" run sheet.yaml --quiet --frames 1 --write pc2 --set output.take=false --out none
[ ! -e none/frames.weft ] || fail 'output.take=false'
refused 1 'this run kept no frames' "$WEFT" render none
"$WEFT" run sheet.yaml --quiet --frames 1 --write none --set output.take=true --out none
says 'none' "$WEFT" render none --frame 1 --size 16x12 --out none.png
refused 1 'output.take: must be true' "$WEFT" run sheet.yaml --write png --set output.take=false --out refused
touch plain-file
refused 1 'plain-file' "$WEFT" render $run --out plain-file/pictures
refused 1 'plain-file' "$WEFT" render $run --video plain-file/a.mp4
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 555 locked
    refused 1 'locked' "$WEFT" render $run --out locked
fi
refused 1 'a picture of 0 x 720 pixels: each side must be 1 to' "$WEFT" render $run --size 0x720
refused 1 'view.width: 0 is below 1' "$WEFT" render $run --set view.width=0
refused 1 'not of the form 1280x720' "$WEFT" render $run --size 1280
refused 1 "did you mean 'azimuth'?" "$WEFT" render $run --set view.azimut=3
refused 1 'not of the form view.KEY=VALUE' "$WEFT" render $run --set time.step=3
refused 1 'there is no frame 21; there are 0 to 20' "$WEFT" render $run --frame 21
refused 1 'there is no frame 30; there are 0 to 20' "$WEFT" render $run --frames 0..30
for range in 5..3 a..b 1..2/0 1...4 '' 1..99999999999; do
    refused 1 'not of the form A..B' "$WEFT" render $run --frames "$range"
done
refused 1 "'custom' is not" "$WEFT" render $run --set view.color=custom
refused 1 'does not change; use `adapt`' "$WEFT" render $run --set view.color=generation
refused 1 'missing.png' "$WEFT" render $run --set view.texture=image --set view.texture_image=missing.png
refused 2 '--frame is for a still' "$WEFT" render $run --frame 1 --sheet 3
refused 2 'at least 1 frame' "$WEFT" render $run --sheet 0
refused 1 "did you mean 'azimuth'?" "$WEFT" check sheet.yaml --set view.azimut=3
mkdir bin # without ffmpeg
for program in sh sleep; do ln -s "$(command -v $program)" bin/; done
without() { PATH=$PWD/bin "$@"; }
refused 1 'ffmpeg, which makes the video, is not installed' without "$WEFT" render $run --video a.mp4
refused 1 'ffmpeg, which makes the video, is not installed' without "$WEFT" run sheet.yaml --write mp4 --out refused
[ ! -e a.mp4 ] && [ ! -e a.mp4.part ] && [ ! -e a.mp4.frames ] && [ ! -e refused ] || fail 'something was left'
printf '#!%s\ncase $1 in -version) exit 0;; esac\necho "no such encoder" >&2\nexit 1\n' "$(command -v sh)" >bin/ffmpeg
chmod +x bin/ffmpeg
refused 1 'a.mp4: ffmpeg failed: no such encoder' without "$WEFT" render $run --video a.mp4 --frames 0..3 --quiet
[ ! -e a.mp4 ] && [ ! -e a.mp4.part ] || fail 'a video that failed is there'

# Videos, if ffmpeg is installed.
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || exit 0
# video FILE: "frames width height rate codec format"
video() {
    ffprobe -v error -count_frames -select_streams v:0 -of csv=p=0 \
        -show_entries stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames "$1"
}
render $run --video a.mp4
[ "$(video a.mp4)" = 'h264,64,36,yuv420p,50/1,21' ] || fail "the video is $(video a.mp4)"
[ ! -e a.mp4.frames ] && [ ! -e a.mp4.part ] || fail 'the pictures of a finished video are left'
render $run --video half.mp4 --frames 0..20/2 --size 33x21
[ "$(video half.mp4)" = 'h264,32,20,yuv420p,25/1,11' ] || fail "the video of every other frame is $(video half.mp4)"

# Stopped and resumed: the same video.
catch 'b.mp4 b.mp4.frames' b.mp4.frames/sheet_0002.png b.mp4.frames/sheet_0018.png \
    "$WEFT" render $run --video b.mp4 --size 320x180 --set view.samples=8 --quiet 2>stopped.err
kill -s INT $id
kill -s CONT $id
wait $id
status=$?
[ $status -eq 130 ] || fail "SIGINT: exit status $status"
grep -q '^weft: sheet: stopped after picture [0-9]* of 21; --resume goes on' stopped.err || fail "$(cat stopped.err)"
[ ! -e b.mp4 ] || fail 'a stopped video is there'
render $run --video b.mp4 --size 320x180 --set view.samples=8 --resume
[ "$(video b.mp4)" = 'h264,320,180,yuv420p,50/1,21' ] || fail "the resumed video is $(video b.mp4)"

# The same as writers of a run.
"$WEFT" run sheet.yaml --quiet --out both --write png,mp4:every=2 || fail '--write png,mp4'
[ "$(ls both/png/*.png | wc -l)" -eq 21 ] || fail '--write png'
[ "$(video both/sheet.mp4)" = 'h264,64,36,yuv420p,25/1,11' ] || fail "--write mp4:every=2: $(video both/sheet.mp4)"
cmp both/png/sheet_0010.png ten.png && fail 'framed over every fifth frame and over all: the same picture?'
rm both/sheet.mp4 both/png/sheet_0004.png
"$WEFT" run sheet.yaml --quiet --out both --write png,mp4:every=2 --resume || fail 'resuming the pictures of a run'
[ -s both/sheet.mp4 ] && [ -s both/png/sheet_0004.png ] || fail '--resume does not go on with the pictures'
"$WEFT" run sheet.yaml --quiet --frames 2 --out both --write png || fail 'replacing a run'
[ "$(ls both/png/*.png | wc -l)" -eq 3 ] || fail "old pictures are left: $(ls both/png)"
exit 0
