#include "phasor/core/system_error.hpp"

#include <cerrno>
#include <cstring>

namespace phasor {
namespace {

const char* way_out(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "check the permissions of the file and of its folder, or choose another place";
    case ENOSPC:
      return "free some space or choose another place";
    case EDQUOT:
      return "your share of the disk is used up: free some space or choose another place";
    case EFBIG:
      return "a limit on the size of files is set: raise it (ulimit -f) or choose another place";
    case EROFS:
      return "this disk can only be read: choose another place";
    case EISDIR:
      return "name a file inside it";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case ELOOP:
      return "its symbolic links lead in a circle: mend them or choose another place";
    case EMFILE:
    case ENFILE:
      return "too many files are open: raise the limit (ulimit -n) or close other programs";
    case EIO:
      return "the disk may be failing: check it or choose another place";
    case ETXTBSY:
      return "it is a program that runs: wait for its end or choose another place";
    case EBADF:
      return "it is closed or cannot be written: send the output elsewhere";
    default:
      return "choose another place";
  }
}

}  // namespace

std::string reason_and_way_out(int error) {
  return std::string(std::strerror(error)) + "; " + way_out(error);
}

}  // namespace phasor
