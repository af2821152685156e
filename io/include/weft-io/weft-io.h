/** @file
 * Files in and out: scenes, meshes, writers, takes and checkpoints. This header includes the whole API of libweft-io.
 *
 * The library builds on libweft and shares its results (weft/base.h), value trees and components. It treats all files
 * as untrusted: a damaged file gives an error that names the file and the place. */
#ifndef WEFT_IO_WEFT_IO_H
#define WEFT_IO_WEFT_IO_H

#include "weft-io/checkpoint.h"
#include "weft-io/mesh_file.h"
#include "weft-io/recorder.h"
#include "weft-io/scene_files.h"
#include "weft-io/take.h"
#include "weft-io/writer.h"
#include "weft-io/yaml.h"

#endif
